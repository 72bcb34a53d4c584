import Domain

extension MetricDefinition {
  /// What a user's subscription brings in a month: its latest charge, as much of it as makes a month.
  static let mrr = MetricDefinition(
    name: "mrr", meaning: "the latest subscription charge, where it gives access at the cut-off, as an amount a month",
    kind: .mean, isMoney: true, takesWindow: false, looksBeyondWindow: true, needsPeriod: true,
    wording: { _ in
      MetricWording("Monthly recurring revenue per user", "has", less: "monthly recurring revenue per user")
    }
  ) { context in
    { user, _ in
      guard let charge = context.activeCharge(of: user), let period = context.facts.periods[Int(charge.product)]
      else { return .zero }
      return Quantity(y: period.monthly(charge.gross))
    }
  }
}

extension Period {
  /// An amount paid once a period as an amount a month, rounded once, half to even.
  ///
  /// A year is twelve months; of days alone, 28 are a month where they are whole weeks, else 30; days beside months
  /// are thirtieths.
  package func monthly(_ micros: Int64) -> Int128 {
    let monthDays: Int128 = months == 0 && days % 7 == 0 ? 28 : 30
    return Money.roundedHalfToEven(Int128(micros) * monthDays, by: Int128(months) * monthDays + Int128(days))
  }
}
