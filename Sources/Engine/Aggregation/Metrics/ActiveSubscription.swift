extension MetricDefinition {
  /// Users with paid access at the cut-off, grace included.
  static let activeSubscription = MetricDefinition(
    name: "active_subscription", meaning: "has paid access at the cut-off, grace included", kind: .proportion,
    takesWindow: false, looksBeyondWindow: true,
    wording: { _ in MetricWording("Active subscribers", "has", fewer: "active subscribers") }
  ) { context in
    { user, _ in .indicator(context.activeCharge(of: user) != nil) }
  }

  /// Those of them who have not turned renewal off.
  static let setToRenew = MetricDefinition(
    name: "set_to_renew", meaning: "has paid access at the cut-off, and renewal is not turned off", kind: .proportion,
    takesWindow: false, looksBeyondWindow: true,
    wording: { _ in MetricWording("Subscribers set to renew", "has", fewer: "subscribers set to renew") }
  ) { context in
    { user, _ in .indicator(context.activeCharge(of: user) != nil && !user.history.access.isRenewalOff) }
  }
}

extension MetricContext {
  /// The user's latest subscription charge, where it gives access at the cut-off and the metric's `where` lets it
  /// through.
  func activeCharge(of user: UserInGroup) -> UserHistory.Charge? {
    guard let latest = user.history.access.latest, latest.accessEnd > user.cutoff else { return nil }
    let charge = user.history.charges[latest.charge]
    return products.contains(charge.product, charge.kind) ? charge : nil
  }
}
