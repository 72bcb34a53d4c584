import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// `within:` how long a trial may take to be paid.
  private static let within = MetricOption.duration(
    "within", "how long it may take; 16 days unless said", usual: 16 * Instant.millisecondsPerDay)

  /// Of the users with a trial whose time to be paid for is over, those who paid in that time.
  static let trialToPaid = MetricDefinition(
    name: "trial_to_paid",
    meaning: "a paid subscription charge followed within the time; per user with a trial whose time is over",
    kind: .ratio,
    looksBeyondWindow: true, options: [within],
    perUser: .users(who: "pay after a trial", ofThose: "of those whose trial is over") { $0.unusual(within) },
    wording: { request in
      let within = request.unusual(within)
      return MetricWording(
        "Trials that turn into paid\(within)", "turns", fewer: "of its trials into paid subscriptions\(within)")
    }
  ) { context in
    let within = context.request[within]
    return { user, window in
      var quantity = Quantity()
      for trial in context.events(of: .trialStart, by: user, in: window) {
        let due = trial.time + within
        guard user.hasCome(due) else { break }
        quantity.x = 1
        if context.isFollowed(trial.time, upTo: due, by: user) { return Quantity(y: 1, x: 1) }
      }
      return quantity
    }
  }
}
