/// What a job may call the user of a notification by.
package enum NotificationUser: String, CaseIterable {
  /// What the app itself told the store; absent where it did not.
  case appAccountToken
  /// The subscription, from its first transaction on.
  case originalTransactionId
  /// The customer's copy of the app.
  case appTransactionId
}
