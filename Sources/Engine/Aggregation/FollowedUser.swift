/// A user to follow through the nights, with what is asked of it more than once.
struct FollowedUser {
  var user: UserInGroup
  var membership: Membership
  /// When it is measured from, in milliseconds.
  var start: Int64
  /// All that was read of the user.
  var events: UserEvents
  /// Each event stands in the history by itself or repeats one word for word, and no failed renewal was settled later, so
  /// that what came later changed nothing of what an earlier night saw; true of a user without events.
  private(set) var isReportedOnce = true
  /// Nothing ever happened.
  let isIdle: Bool
  /// When the last refund or reversal came, in milliseconds.
  private(set) var lastRefund = Int64.min

  init(user: UserInGroup, membership: Membership, start: Int64, events: UserEvents) {
    self.user = user
    self.membership = membership
    self.start = start
    self.events = events
    let history = user.history
    isIdle = history.isEmpty
    guard !isIdle else { return }
    isReportedOnce =
      !history.hasBillingIssues && events.count == history.charges.count + history.events.count + history.copies
    lastRefund = history.refundSteps.last?.time ?? .min
  }

  /// Whether the user's quantity of a metric, once its window has ended by `cutoff`, is what it was then.
  func isSettled(_ metric: CompiledMetric, at cutoff: Int64) -> Bool {
    isSettled(isFixedByWindow: metric.isFixedByWindow, isMovedByRefunds: metric.isMovedByRefunds, at: cutoff)
  }

  /// The same of a metric of which only this is at hand.
  func isSettled(isFixedByWindow: Bool, isMovedByRefunds: Bool, at cutoff: Int64) -> Bool {
    isFixedByWindow && isReportedOnce && (lastRefund < cutoff || !isMovedByRefunds)
  }
}
