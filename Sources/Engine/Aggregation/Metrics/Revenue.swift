import Measurement

extension MetricDefinition {
  /// What a user was charged.
  static let revenueGross = revenue(
    "revenue_gross", "sum of charges",
    MetricWording("Gross revenue per user", "takes in", less: "per user before refunds")
  ) { $0.gross }
  /// What a user was charged and did not get back.
  static let revenueNet = revenue(
    "revenue_net", "sum of charges less refunds", MetricWording("Net revenue per user", "earns", less: "per user")
  ) { $0.net }
  /// What of it is left after tax and the store's commission.
  package static let proceeds = revenue(
    "proceeds", "sum of charges less refunds, tax and the store's commission",
    MetricWording("Proceeds per user", "leaves", less: "per user after tax and the store's share"),
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
