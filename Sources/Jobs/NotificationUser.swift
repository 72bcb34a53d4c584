/// What a job may call the user of a notification by.
package enum NotificationUser: String, CaseIterable {
  /// The token that the app gave the store with the purchase; absent where it gave none.
  case appAccountToken
  /// The subscription, from its first transaction on.
  case originalTransactionId
  /// The customer's copy of the app.
  case appTransactionId
}
