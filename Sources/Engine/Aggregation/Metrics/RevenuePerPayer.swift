import Measurement

extension MetricDefinition {
  /// What a paying user was charged.
  static let revenueGrossPerPayer = perPayer(
    "revenue_gross_per_payer", "sum of charges; per user who paid",
    MetricWording("Gross revenue per paying user", "takes in", less: "per paying user before refunds"),
    perUser: .grossPerUser
  ) { $0.gross }
  /// What a paying user was charged and did not get back.
  static let revenueNetPerPayer = perPayer(
    "revenue_net_per_payer", "sum of charges less refunds; per user who paid",
    MetricWording("Net revenue per paying user", "earns", less: "per paying user"),
    perUser: .netPerUser
  ) { $0.net }
  /// What of it is left after tax and the store's commission.
  static let proceedsPerPayer = perPayer(
    "proceeds_per_payer", "sum of charges less refunds, tax and the store's commission; per user who paid",
    MetricWording("Proceeds per paying user", "leaves", less: "per paying user after tax and the store's share"),
    perUser: .proceedsPerUser,
    needsCommission: true
  ) { $0.proceeds }

  private static func perPayer(
    _ name: String, _ meaning: String, _ wording: MetricWording, perUser: MetricWording, needsCommission: Bool = false,
    _ amount: @escaping @Sendable (UserHistory.Charge) -> Int64
  ) -> MetricDefinition {
    MetricDefinition(
      name: name, meaning: meaning, kind: .ratio, isMoney: true, needsCharge: true,
      needsCommission: needsCommission,
      perUser: .mean(perUser, ofThose: "per paying user"), wording: { _ in wording }
    ) { context in
      { user, window in
        var quantity = Quantity()
        for charge in context.charges(of: user, in: window) {
          quantity.y += Int128(amount(charge))
          if charge.gross > 0 { quantity.x = 1 }
        }
        return quantity
      }
    }
  }
}
