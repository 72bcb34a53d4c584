import Domain

/// Converts money into the reporting currency, and remembers whether some did not fit.
final class MoneyConverter {
  private let rates: ExchangeRates
  /// Money did not fit 64 bits of micros once converted.
  private(set) var hasOverflowed = false

  init(_ rates: ExchangeRates) {
    self.rates = rates
  }

  /// Billionths of the reporting currency for one unit of `currency` on a UTC day; nil where no rate is known.
  func rate(of currency: Currency, day: Int64) -> Int64? { rates.nanos(currency, day: day) }

  /// Micros of the reporting currency.
  func converted(_ micros: Int64, at rate: Int64) -> Int64 {
    if let amount = Money.converted(micros: micros, rateNanos: rate) { return amount }
    hasOverflowed = true
    return Int64.max
  }
}
