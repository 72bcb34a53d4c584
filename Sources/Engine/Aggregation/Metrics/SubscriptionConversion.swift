import Measurement

extension MetricDefinition {
  /// Users who paid for a product that renews.
  static let subscriptionConversion = MetricDefinition(
    name: "subscription_conversion", meaning: "paid for an auto-renewable product", kind: .proportion,
    needsCharge: true, isMovedByRefunds: { _ in false },
    wording: { _ in
      MetricWording("Paying subscribers", "wins", fewer: "paying subscribers").seen(
        "{} of {users} paid for a subscription")
    }
  ) { context in
    { user, window in
      .indicator(context.charges(of: user, in: window).contains { $0.gross > 0 && $0.isAutoRenewable })
    }
  }
}
