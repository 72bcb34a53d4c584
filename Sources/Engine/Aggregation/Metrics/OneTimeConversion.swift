import Measurement

extension MetricDefinition {
  /// Users who paid for a product that does not renew.
  static let oneTimeConversion = MetricDefinition(
    name: "one_time_conversion", meaning: "paid for a product that does not renew", kind: .proportion,
    needsCharge: true, isMovedByRefunds: { _ in false },
    wording: { _ in MetricWording("One-time buyers", "wins", fewer: "one-time buyers").seen("{} of {users} bought once")
    }
  ) { context in
    { user, window in
      .indicator(context.charges(of: user, in: window).contains { $0.gross > 0 && !$0.isAutoRenewable })
    }
  }
}
