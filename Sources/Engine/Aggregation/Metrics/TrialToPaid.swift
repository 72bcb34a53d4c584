import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// `within:` how long a trial may take to be paid, in milliseconds; nil is as long as trials usually may.
  private static let within = MetricOption<Int64?>.duration(
    "within",
    "how long it may take; 16 days unless said, or until 2 days after the trial's end where that is known and later",
    minimum: 1)

  /// Of the users with a trial whose time to be paid for is over, those who paid in that time.
  static let trialToPaid = MetricDefinition(
    name: "trial_to_paid",
    meaning: "a paid subscription charge followed within the time; per user with a trial whose time is over",
    kind: .ratio,
    looksBeyondWindow: true, isOfCharges: true, options: [within],
    perUser: .users(who: "pay after a trial", did: "paid after a trial", ofThose: "of those whose trial is over") {
      words(of: $0[within])
    },
    wording: { request in
      let within = words(of: request[within])
      return MetricWording(
        "Trials that turn into paid\(within)", "turns", fewer: "of its trials into paid subscriptions\(within)"
      ).seen("{} of trials turned into paid\(within)")
    }
  ) { context in
    let within = context.request[within]
    return { user, window in
      var quantity = Quantity()
      for trial in context.events(of: .trialStart, by: user, in: window) {
        let due = user.history.due(ofTrial: trial, within: within)
        guard user.hasCome(due) else { continue }
        quantity.x = 1
        if context.isFollowed(trial.time, upTo: due, by: user) { return Quantity(y: 1, x: 1) }
      }
      return quantity
    }
  }

  /// ` within 7 days`; empty for the usual time.
  private static func words(of within: Int64?) -> String {
    guard let within, within != TrialPayment.usualTime else { return "" }
    return " within \(Phrase.duration(milliseconds: within))"
  }
}

/// How long trials usually may take to be paid for, in milliseconds.
private enum TrialPayment {
  static let usualTime = 16 * Instant.millisecondsPerDay
  /// A store charges within two days.
  static let timeAfterEnd = 2 * Instant.millisecondsPerDay
}

extension UserHistory {
  /// Until when a trial may be paid for.
  fileprivate func due(ofTrial trial: Event, within: Int64?) -> Int64 {
    if let within { return trial.time + within }
    let usual = trial.time + TrialPayment.usualTime
    let end = end(ofTrial: trial)
    return end == AccessTimeline.open ? usual : max(usual, end + TrialPayment.timeAfterEnd)
  }
}
