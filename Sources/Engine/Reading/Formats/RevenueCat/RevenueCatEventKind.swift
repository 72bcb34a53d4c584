/// The kinds of webhooks that something is measured by; all others are counted by their own names.
enum RevenueCatEventKind: String, CaseIterable {
  case initialPurchase = "INITIAL_PURCHASE"
  case renewal = "RENEWAL"
  case nonRenewingPurchase = "NON_RENEWING_PURCHASE"
  case cancellation = "CANCELLATION"
  case uncancellation = "UNCANCELLATION"
  case expiration = "EXPIRATION"
  case billingIssue = "BILLING_ISSUE"
  case refundReversed = "REFUND_REVERSED"
  case subscriptionExtended = "SUBSCRIPTION_EXTENDED"

  /// The kind of that name; nil for any other.
  init?(_ name: Text) {
    guard let kind = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else { return nil }
    self = kind
  }

  /// It tells of something bought, which has a time of its own.
  var isPurchase: Bool { self == .initialPurchase || self == .renewal || self == .nonRenewingPurchase }

  /// What happened; a cancellation whose price is negative gives money back, whatever its reason, and no other does.
  func type(period: Text, cancelReason: Text, isMoneyBack: Bool) -> EventType {
    switch self {
    case .initialPurchase where period.isEqual(ignoringCaseTo: "trial"),
      .renewal where period.isEqual(ignoringCaseTo: "trial"):
      .trialStart
    case .initialPurchase: .purchase
    case .renewal: .renewal
    case .nonRenewingPurchase: .oneTimePurchase
    case .cancellation where isMoneyBack: .refund
    case .cancellation: cancelReason.isEqual(ignoringCaseTo: "billing_error") ? .billingRetry : .cancel
    case .uncancellation: .uncancel
    case .expiration: .expire
    case .billingIssue: .billingRetry
    case .refundReversed: .refundReversal
    case .subscriptionExtended: .extend
    }
  }

  /// The values that the documentation has for a member; others change nothing, and are counted.
  static let documentedValues: [(member: RevenueCatWebhooks.Member, values: [StaticString])] = [
    (.periodType, ["trial", "intro", "normal", "promotional", "prepaid"]),
    (
      .cancelReason,
      [
        "unsubscribe", "billing_error", "developer_initiated", "price_increase", "customer_support", "unknown",
        "subscription_paused",
      ]
    ),
    (.environment, ["production", "sandbox"]),
    (
      .store,
      [
        "amazon", "app_store", "mac_app_store", "paddle", "play_store", "promotional", "rc_billing", "roku", "stripe",
        "test_store",
      ]
    ),
  ]
}
