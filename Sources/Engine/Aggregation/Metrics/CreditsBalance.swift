import Jobs
import Measurement

extension MetricDefinition {
  /// `starting:` the credits everybody begins with.
  private static let starting = MetricOption.whole(
    "starting", "credits everybody begins with; 0 unless said", minimum: 0, usual: 0)
  /// `spent_by:` event types that spend a credit each.
  private static let spentBy = MetricOption.eventTypes("spent_by", "the event types that spend a credit")

  /// What is left of a user's credits: those to start with, and those that charges granted, less one for each event
  /// that spends one; never below 0. The users who have none left are counted beside it.
  static let creditsBalance = MetricDefinition(
    name: "credits_balance",
    meaning:
      "`starting` and the credits granted, less the events `spent_by`, never below 0; `zero_users` have none left",
    kind: .mean, countsZeros: true, options: [starting, spentBy],
    wording: { _ in MetricWording("Credits left per user", "leaves", fewer: "credits per user") },
    ofIdleUser: { Quantity(y: Int128($0.request[starting])) }
  ) { context in
    let credits = Int128(context.request[starting])
    let spending = context.request[spentBy].compactMap { context.types.type(named: $0) }
    return { user, window in
      let spent = spending.reduce(Int128(0)) { $0 + Int128(context.count(of: $1, by: user, in: window)) }
      return Quantity(y: max(0, credits + context.creditsGranted(to: user, in: window) - spent))
    }
  }
}
