import Domain
import Measurement

extension MetricDefinition {
  /// What a user's subscriptions bring in a month: of each group of subscriptions the latest charge, as much of it as makes a
  /// month.
  static let mrr = MetricDefinition(
    name: "mrr",
    meaning:
      "the latest subscription charge of each subscription group, where it gives access at the cut-off, as an amount a month",
    kind: .mean, isMoney: true, hasWindow: false, looksBeyondWindow: true, needsCharge: true,
    needsPeriod: true,
    wording: { _ in
      MetricWording("Monthly recurring revenue per user", "has", less: "monthly recurring revenue per user")
    }
  ) { context in
    { user, _ in
      let history = user.history
      let sum = context.activeIntervals(of: user).reduce(Int128(0)) { sum, interval in
        let charge = history.charges[interval.charge]
        return sum + (history.period(of: charge)?.monthly(charge.recurring) ?? 0)
      }
      return Quantity(y: sum)
    }
  }

  /// What commitments ask for yet: of each active subscription that is paid for in parts, the parts that are still due.
  ///
  /// Source: Apple, App Store Server API, `TransactionCommitmentInfo`.
  static let committed = MetricDefinition(
    name: "committed",
    meaning:
      "what active subscriptions with a commitment (the App Store's year in twelve payments) still have to pay, beside `mrr`",
    kind: .mean, isMoney: true, hasWindow: false, looksBeyondWindow: true, needsCharge: true,
    wording: { _ in MetricWording("Committed payments per user", "has", less: "committed payments per user") }
  ) { context in
    { user, _ in
      let charges = user.history.charges
      let sum = context.activeIntervals(of: user).reduce(Int128(0)) { sum, interval in
        sum + Int128(charges[interval.charge].gross) * Int128(charges[interval.charge].paymentsLeft)
      }
      return Quantity(y: sum)
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
