import Domain

/// What is read of a subscription. Source: Google, Google Play Developer API v3, `SubscriptionPurchaseV2`.
enum GooglePlaySubscriptionMember: Int, JSONMember {
  case purchaseToken, linkedPurchaseToken, subscriptionState, startTime, latestOrderId, lineItems, testPurchase
  case account
  /// Of the subscription that had expired, where this one was bought outside of the app.
  case expiredToken, expiredAccount
  /// When the user turned renewal off.
  case cancelTime

  var source: SourceField {
    switch self {
    case .account: .path("externalAccountIdentifiers", "obfuscatedExternalAccountId")
    case .expiredToken: .path("outOfAppPurchaseContext", "expiredPurchaseToken")
    case .expiredAccount:
      .path("outOfAppPurchaseContext", "expiredExternalAccountIdentifiers", "obfuscatedExternalAccountId")
    case .cancelTime: .path("canceledStateContext", "userInitiatedCancellation", "cancelTime")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What is read of a subscription's line item. Source: as above, `SubscriptionPurchaseLineItem`.
enum GooglePlaySubscriptionItemMember: Int, JSONMember {
  case productId, expiryTime, latestSuccessfulOrderId, prepaidPlan, autoRenewEnabled, recurringPrice
  /// What takes its place at the end of its period.
  case deferredReplacement

  var source: SourceField {
    switch self {
    case .autoRenewEnabled: .path("autoRenewingPlan", "autoRenewEnabled")
    case .recurringPrice: .path("autoRenewingPlan", "recurringPrice")
    case .deferredReplacement: SourceField(name: "deferredItemReplacement")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// The states of a subscription that something is measured by. Source: as above, `SubscriptionState`.
enum GooglePlayStanding {
  static let active: StaticString = "SUBSCRIPTION_STATE_ACTIVE"
  static let canceled: StaticString = "SUBSCRIPTION_STATE_CANCELED"
  static let expired: StaticString = "SUBSCRIPTION_STATE_EXPIRED"
  static let inGrace: StaticString = "SUBSCRIPTION_STATE_IN_GRACE_PERIOD"
  static let onHold: StaticString = "SUBSCRIPTION_STATE_ON_HOLD"
  static let paused: StaticString = "SUBSCRIPTION_STATE_PAUSED"
  /// The latest renewal has failed.
  static let failed = [inGrace, onHold]

  /// How a subscription of such a state stands: it goes on (`extend`), it ends with its period (`cancel`), or its renewal
  /// has failed and access lasts meanwhile (`billing_retry`); nil where it gives no access.
  ///
  /// - Parameters:
  ///   - isOff: its plan does not renew by itself.
  ///   - isCancelDated: it is told when renewal was turned off.
  static func type(of state: Text, isOff: Bool, isCancelDated: Bool) -> EventType? {
    if state.isEqual(canceled) { return isCancelDated ? .extend : .cancel }
    if state.isEqual(active) { return isOff ? .cancel : .extend }
    return state.isEqual(inGrace) ? .billingRetry : nil
  }
}
