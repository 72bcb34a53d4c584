/// A quantile of a sample, by nearest rank, with an interval from binomial ranks.
public struct SampleQuantile: Sendable, Hashable {
  /// The value of rank ⌈n·q⌉.
  public let value: Double
  /// The values of ranks ⌈n(q ± z√(q(1 − q)/n))⌉ (Conover 1999, section 3.2); `nil` where a rank is not one
  /// of the sample's.
  public let interval: Interval?
  /// The standard error those ranks imply: the interval's width over 2z.
  public let standardError: Double?
  /// The quantile as a mean of known variance, ready for ``Comparison``.
  public let frame: MeanFrame?

  /// Takes the quantile; `nil` without users, or unless 0 < q < 1.
  public init?(_ sample: ValueCounts, q: Double, alpha: Double = 0.05) {
    let n = Double(sample.total)
    guard q > 0, q < 1, let z = Normal.upperQuantile(alpha / 2),
      let value = sample.value(rank: max(1, Self.rank(n * q)))
    else { return nil }
    let reach = z * (n * q * (1 - q)).squareRoot()
    var interval: Interval?
    if let low = sample.value(rank: Self.rank(n * q - reach)),
      let high = sample.value(rank: Self.rank(n * q + reach))
    {
      interval = Interval(low, high)
    }
    self.value = value
    self.interval = interval
    standardError = interval.map { ($0.high - $0.low) / (2 * z) }
    frame = MeanFrame(
      n: n,
      mean: value,
      squaredError: standardError.map { $0 * $0 },
      degreesOfFreedom: .infinity
    )
  }

  /// The next whole number up; products like 0.1·30 may lie a rounding above it.
  private static func rank(_ position: Double) -> Double {
    (position - 1e-9).rounded(.up)
  }
}
