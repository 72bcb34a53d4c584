import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// `starting:` the credits everybody begins with.
  fileprivate static let starting = MetricOption.whole(
    "starting", "credits everybody begins with; 0 unless said", minimum: 0, usual: 0)
  /// `spent_by:` event types that spend a credit each.
  fileprivate static let spentBy = MetricOption.eventTypes("spent_by", "the event types that spend a credit")

  /// What is left of a user's credits: those to start with, and those that charges granted, less one for each event
  /// that spends one; never below 0. The users who have none left are counted beside it.
  static let creditsBalance = MetricDefinition(
    name: "credits_balance",
    meaning:
      "`starting` and the credits granted, less the events `spent_by`, never below 0; `zero_users` have none left",
    kind: .mean, needsCredits: true, countsZeros: true, options: [starting, spentBy],
    wording: { _ in MetricWording("Credits left per user", "leaves", fewer: "credits per user") },
    ofIdleUser: { Quantity(y: Int128($0.request[starting])) }
  ) { context in
    let balance = CreditBalance(context)
    return { user, window in
      Quantity(y: balance.credits(spentIn: window, by: user, granted: context.creditsGranted(to: user, in: window)))
    }
  }
}

/// What is left of a user's credits, as a `credits_balance` counts it.
struct CreditBalance: Sendable {
  /// The credits everybody begins with.
  let starting: Int128
  private let spending: [EventType]
  private let context: MetricContext

  init(_ context: MetricContext) {
    starting = Int128(context.request[MetricDefinition.starting])
    spending = context.request[MetricDefinition.spentBy].compactMap { context.types.type(named: $0) }
    self.context = context
  }

  func credits(spentIn window: Range<Int64>, by user: UserInGroup, granted: Int128) -> Int128 {
    let spent = spending.reduce(Int128(0)) { $0 + Int128(context.count(of: $1, by: user, in: window)) }
    return max(0, starting + granted - spent)
  }

  /// What was left at a moment, with the refunds that were known then.
  func credits(of user: UserInGroup, from start: Int64, at time: Int64) -> Int128 {
    let history = user.history
    var refunded: [Int: Int64] = [:]
    for step in history.refundSteps where step.time <= time { refunded[step.charge] = step.refunded }
    var granted: Int128 = 0
    for (position, charge) in history.charges.enumerated()
    where charge.time >= start && charge.time <= time && refunded[position, default: 0] == 0 {
      if context.products.contains(charge.product, charge.kind) {
        granted += Int128(context.facts.credits[Int(charge.product)])
      }
    }
    return credits(spentIn: start..<time + 1, by: user, granted: granted)
  }

  /// When the first credit was granted or spent, whenever that was, in milliseconds; `Int64.max` where none was.
  func firstMove(of user: UserInGroup) -> Int64 {
    let history = user.history
    let granted = history.charges.first { context.facts.credits[Int($0.product)] > 0 }?.time ?? .max
    let spent = history.events.first { spending.contains($0.type) }?.time ?? .max
    return min(granted, spent)
  }
}
