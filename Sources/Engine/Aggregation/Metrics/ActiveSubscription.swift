import Measurement

extension MetricDefinition {
  /// Users with paid access at the cut-off, grace included.
  static let activeSubscription = MetricDefinition(
    name: "active_subscription", meaning: "has paid access at the cut-off, grace included", kind: .proportion,
    hasWindow: false, looksBeyondWindow: true, needsCharge: true,
    wording: { _ in
      MetricWording("Active subscribers", "has", fewer: "active subscribers").seen("{} of {users} had a subscription")
    }
  ) { context in
    { user, _ in .indicator(context.activeIntervals(of: user).contains { _ in true }) }
  }

  /// Those of them who have not turned renewal off.
  static let setToRenew = MetricDefinition(
    name: "set_to_renew", meaning: "has paid access at the cut-off, and renewal is not turned off", kind: .proportion,
    hasWindow: false, looksBeyondWindow: true, needsCharge: true,
    wording: { _ in
      MetricWording("Subscribers set to renew", "has", fewer: "subscribers set to renew").seen(
        "{} of {users} were set to renew")
    }
  ) { context in
    { user, _ in .indicator(context.activeIntervals(of: user).contains { !$0.isRenewalOff }) }
  }
}

extension MetricContext {
  /// The intervals of the latest charge of each of the user's groups of subscriptions, where it gives access at the cut-off
  /// and the metric's `where` lets it through.
  func activeIntervals(of user: UserInGroup) -> some Sequence<AccessTimeline.Interval> {
    let (history, products) = (user.history, products)
    return history.access.intervals.lazy.filter { interval in
      let charge = history.charges[interval.charge]
      return !history.hasCome(interval.accessEnd) && products.contains(charge.product, charge.kind)
    }
  }
}
