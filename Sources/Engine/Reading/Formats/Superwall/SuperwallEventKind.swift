/// The kinds of Superwall's events that something is measured by; all others are counted by their own names.
///
/// Source: Superwall, Webhooks, "Event Names"; "Introducing Superwall Webhooks" for the last.
enum SuperwallEventKind: String, CaseIterable {
  case initialPurchase = "initial_purchase"
  case renewal
  case nonRenewingPurchase = "non_renewing_purchase"
  case productChange = "product_change"
  case cancellation
  case uncancellation
  case expiration
  case billingIssue = "billing_issue"
  case subscriptionExtended = "subscription_extended"

  /// The kind of that name; nil for any other.
  init?(_ name: Text) {
    guard let kind = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else { return nil }
    self = kind
  }

  /// What happened, by the price in micros; nil where nothing did that is measured: a plan that will change has cost
  /// nothing yet.
  ///
  /// A price below 0 gives money back, whatever the event. A period for which nobody pays is a trial, unless it is told as
  /// NORMAL: a plan that took another's place at no cost, say. `periodType` alone does not say so, for the renewal that a
  /// trial turned into may be told as TRIAL, too.
  func type(price: Int64?, period: Text, cancelReason: Text) -> EventType? {
    if let price, price < 0 { return .refund }
    let isFree =
      price.map { $0 == 0 && !period.isEqual(ignoringCaseTo: "normal") } ?? period.isEqual(ignoringCaseTo: "trial")
    return switch self {
    case .initialPurchase: isFree ? .trialStart : .purchase
    case .renewal: isFree ? .trialStart : .renewal
    case .nonRenewingPurchase: .oneTimePurchase
    case .productChange: (price ?? 0) > 0 ? .purchase : nil
    case .cancellation: cancelReason.isEqual(ignoringCaseTo: "billing_error") ? .billingRetry : .cancel
    case .uncancellation: .uncancel
    case .expiration: .expire
    case .billingIssue: .billingRetry
    case .subscriptionExtended: .extend
    }
  }

  /// The values that the documentation has for a member; others change nothing, and are counted.
  static let documentedValues: [(member: SuperwallWebhooks.Member, values: [StaticString])] = [
    (.periodType, ["trial", "intro", "normal"]),
    (
      .cancelReason,
      ["billing_error", "customer_support", "unsubscribe", "price_increase", "developer_initiated", "unknown"]
    ),
    (.environment, ["production", "sandbox"]),
    (.store, ["app_store", "play_store", "stripe", "paddle"]),
  ]
}
