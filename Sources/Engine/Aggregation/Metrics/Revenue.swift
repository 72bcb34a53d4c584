extension MetricDefinition {
  /// What a user was charged.
  static let revenueGross = revenue("revenue_gross") { $0.gross }
  /// What a user was charged and did not get back.
  static let revenueNet = revenue("revenue_net") { $0.net }
  /// What of it is left after tax and the store's commission.
  package static let proceeds = revenue("proceeds") { $0.proceeds }

  private static func revenue(
    _ name: String, _ amount: @escaping @Sendable (UserHistory.Charge) -> Int64
  ) -> MetricDefinition {
    MetricDefinition(name: name, kind: .mean, isMoney: true) { context in
      { user, window in
        Quantity(y: context.charges(of: user, in: window).reduce(0) { $0 + Int128(amount($1)) })
      }
    }
  }
}
