/// Exact arithmetic on millionths of a currency.
package enum Money {
  /// `value` parts of `divisor`, rounded to the nearest whole number, halves to the even one.
  ///
  /// `divisor` is positive; `value` is not negative.
  static func roundedHalfToEven(_ value: Int128, by divisor: Int128) -> Int128 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    let twice = remainder * 2
    if twice > divisor || twice == divisor && quotient & 1 == 1 { return quotient + 1 }
    return quotient
  }

  /// An amount in the reporting currency; nil where it does not fit.
  package static func converted(micros: Int64, rateNanos: Int64) -> Int64? {
    if rateNanos == ExchangeRates.one { return micros }
    let exact = Int128(micros) * Int128(rateNanos)
    return Int64(exactly: roundedHalfToEven(exact, by: Int128(ExchangeRates.one)))
  }

  /// What is left of a net amount after tax and the store's commission, rounded once.
  package static func proceeds(net: Int64, tax: Int64, commission: Int64) -> Int64 {
    let whole = Int128(Products.PriceShare.whole)
    let exact = Int128(net) * (whole - Int128(tax)) * (whole - Int128(commission))
    return Int64(roundedHalfToEven(exact, by: whole * whole))
  }

  /// The same where tax and commission are both shares of the price, rounded once; never below 0.
  ///
  /// Source: RevenueCat, Scheduled Data Exports and Webhooks, `tax_percentage` and `commission_percentage`.
  package static func proceeds(net: Int64, tax: Int64, commissionOfPrice commission: Int64) -> Int64 {
    let whole = Products.PriceShare.whole
    return Int64(roundedHalfToEven(Int128(net) * Int128(max(0, whole - tax - commission)), by: Int128(whole)))
  }

  /// What of a net amount is tax, rounded by itself; never more than proceeds leave, so that no store's share falls
  /// below 0 where both were rounded up.
  static func tax(net: Int64, tax: Int64, proceeds: Int64) -> Int64 {
    guard tax > 0 else { return 0 }
    let exact = Int128(net) * Int128(tax)
    return min(net - proceeds, Int64(roundedHalfToEven(exact, by: Int128(Products.PriceShare.whole))))
  }
}
