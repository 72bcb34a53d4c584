extension MetricDefinition {
  /// What a user's subscription brings in a month: the charge that gives access at T, as if all months had 30 days.
  static let mrr = MetricDefinition(
    name: "mrr", kind: .mean, isMoney: true, takesWindow: false, looksBeyondWindow: true, needsPeriod: true
  ) { context in
    { user, _ in
      guard let charge = context.activeCharge(of: user), let period = context.facts.periods[Int(charge.product)]
      else { return .zero }
      return Quantity(y: period.monthly(charge.gross))
    }
  }
}

extension Period {
  /// An amount paid once a period as an amount a month, rounded once: 30 days, 4 weeks are a month, 12 a year.
  func monthly(_ micros: Int64) -> Int128 {
    let count = Int128(count)
    let (times, divisor): (Int128, Int128) =
      switch unit {
      case .day: (30, count)
      case .week: (4, count)
      case .month: (1, count)
      case .year: (1, 12 * count)
      }
    return Money.roundedHalfToEven(Int128(micros) * times, by: divisor)
  }
}
