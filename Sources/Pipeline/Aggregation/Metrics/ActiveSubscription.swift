extension MetricDefinition {
  /// Users with paid access at T, grace included.
  static let activeSubscription = MetricDefinition(
    name: "active_subscription", kind: .proportion, takesWindow: false, looksBeyondWindow: true
  ) { context in
    { user, _ in .indicator(context.activeCharge(of: user) != nil) }
  }

  /// Those of them who have not turned renewal off.
  static let setToRenew = MetricDefinition(
    name: "set_to_renew", kind: .proportion, takesWindow: false, looksBeyondWindow: true
  ) { context in
    { user, _ in .indicator(context.activeCharge(of: user) != nil && !user.history.access.isRenewalOff) }
  }
}

extension MetricContext {
  /// The latest charge that gives paid access at T, of those the metric's `where` lets through.
  func activeCharge(of user: UserInGroup) -> UserHistory.Charge? {
    let history = user.history
    let stretch = history.access.stretches.last { stretch in
      let charge = history.charges[stretch.charge]
      return stretch.accessEnd > user.cutoff && products.contains(charge.product, charge.kind)
    }
    return stretch.map { history.charges[$0.charge] }
  }
}
