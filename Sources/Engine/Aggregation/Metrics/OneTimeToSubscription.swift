import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// `within:` how long the subscription may take to follow.
  private static let within = MetricOption.duration(
    "within", "how long it may take; 30 days unless said", usual: 30 * Instant.millisecondsPerDay)

  /// Of the users whose first purchase without renewal is `within` ago, those who subscribed in that time.
  static let oneTimeToSubscription = MetricDefinition(
    name: "one_time_to_subscription",
    meaning:
      "a paid subscription charge followed within the time; per user with a first one-time purchase whose time is over",
    kind: .ratio, looksBeyondWindow: true, needsCharge: true, options: [within],
    perUser: .users(
      who: "subscribe after a one-time purchase", did: "subscribed after a one-time purchase",
      ofThose: "of its one-time buyers"
    ) {
      $0.unusual(within)
    },
    wording: { request in
      let within = request.unusual(within)
      return MetricWording(
        "One-time buyers who subscribe\(within)", "turns", fewer: "of its one-time buyers into subscribers\(within)")
    }
  ) { context in
    let within = context.request[within]
    return { user, window in
      guard let first = context.charges(of: user, in: window).first(where: { !$0.isAutoRenewable }) else {
        return .zero
      }
      let due = first.time + within
      guard user.hasCome(due) else { return .zero }
      return Quantity(y: context.isFollowed(first.time, upTo: due, by: user) ? 1 : 0, x: 1)
    }
  }
}
