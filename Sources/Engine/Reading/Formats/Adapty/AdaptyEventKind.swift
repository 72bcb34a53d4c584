/// What each of Adapty's events tells; all others are counted by their own names.
///
/// Source: Adapty, Events, "Event types"; Webhook event types and fields, for `subscription_initial_purchase`, which
/// `subscription_started` was called before.
enum AdaptyEventKind {
  static let all: [(name: StaticString, reports: EventType)] = [
    ("subscription_started", .purchase), ("subscription_initial_purchase", .purchase),
    ("subscription_renewed", .renewal), ("trial_converted", .renewal), ("trial_started", .trialStart),
    ("non_subscription_purchase", .oneTimePurchase),
    ("subscription_refunded", .refund), ("non_subscription_purchase_refunded", .refund),
    ("subscription_renewal_cancelled", .cancel), ("trial_renewal_cancelled", .cancel),
    ("subscription_renewal_reactivated", .uncancel), ("trial_renewal_reactivated", .uncancel),
    ("billing_issue_detected", .billingRetry), (graceEntered, .billingRetry),
    ("subscription_expired", .expire), ("trial_expired", .expire),
  ]

  /// Told beside the billing issue where there is a grace.
  static let graceEntered: StaticString = "entered_grace_period"

  /// What a row says why it ended where another subscription took its place: on Google Play, and in the App Store.
  ///
  /// Source: Adapty, Webhook event types and fields, `cancellation_reason`; Event flows, "Product changes".
  private static let replacements: [StaticString] = ["new_subscription_replace", "upgraded"]

  /// The reason as it is shown; nil for any other.
  static func replacement(_ reason: Text) -> String? {
    replacements.contains { reason.isEqual(ignoringCaseTo: $0) } ? reason.shownName : nil
  }

  /// What an event of that name tells; nil where nothing is measured by it.
  static func type(_ name: Text) -> EventType? { all.first { name.isEqual($0.name) }?.reports }
}
