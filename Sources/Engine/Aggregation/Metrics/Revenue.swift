import Measurement

extension MetricDefinition {
  /// What a user was charged.
  static let revenueGross = revenue(
    "revenue_gross", "sum of charges",
    .grossPerUser
  ) { $0.gross }
  /// What a user was charged and did not get back.
  static let revenueNet = revenue(
    "revenue_net", "sum of charges less refunds", .netPerUser
  ) { $0.net }
  /// What of it is left after tax and the store's commission.
  package static let proceeds = revenue(
    "proceeds", "sum of charges less refunds, tax and the store's commission",
    .proceedsPerUser,
    needsCommission: true
  ) { $0.proceeds }

  private static func revenue(
    _ name: String, _ meaning: String, _ wording: MetricWording, needsCommission: Bool = false,
    _ amount: @escaping @Sendable (UserHistory.Charge) -> Int64
  ) -> MetricDefinition {
    MetricDefinition(
      name: name, meaning: meaning, kind: .mean, isMoney: true, needsCharge: true,
      needsCommission: needsCommission,
      wording: { _ in wording }
    ) { context in
      { user, window in
        Quantity(y: context.charges(of: user, in: window).reduce(0) { $0 + Int128(amount($1)) })
      }
    }
  }
}

extension MetricWording {
  static let grossPerUser = MetricWording("Gross revenue per user", "takes in", less: "per user before refunds")
    .seen("{users} spent {} before refunds")
  static let netPerUser = MetricWording("Net revenue per user", "earns", less: "per user").seen("{users} brought {}")
  static let proceedsPerUser = MetricWording(
    "Proceeds per user", "leaves", less: "per user after tax and the store's share"
  ).seen("{users} brought {} after tax and the store's share")
}
