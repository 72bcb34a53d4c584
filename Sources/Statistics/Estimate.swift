/// A group's value with its standard error and interval.
public struct Estimate: Sendable, Hashable {
  /// The value: p, m or R; `nil` where a denominator is zero.
  public let value: Double?
  /// √V in the mean frame (s/√n with n − 1, also for a proportion); `nil` with fewer than two users.
  public let standardError: Double?
  /// The two-sided interval at 1 − α: Wilson's for a proportion, else value ± t(n − 1)·standard error.
  public let interval: Interval?

  /// Estimates one group.
  ///
  ///     let sums = SufficientStatistics(n: 100, sumY: 12, sumYY: 12)
  ///     let estimate = Estimate(try SampleMoments(sums, kind: .proportion))
  ///     // estimate.value == 0.12, estimate.interval about 0.070 … 0.198
  ///
  /// - Parameters:
  ///   - moments: the group's moments.
  ///   - alpha: one minus the confidence of the interval.
  public init(_ moments: SampleMoments, alpha: Double = 0.05) {
    let frame = MeanFrame(moments)
    value = moments.value
    standardError = frame?.squaredError?.squareRoot()
    if moments.kind == .proportion {
      interval = moments.value.flatMap { Estimate.wilson(share: $0, n: moments.n, alpha: alpha) }
    } else {
      interval = frame.flatMap { Estimate.symmetric($0, alpha: alpha) }
    }
  }

  /// Wilson's score interval (1927): the shares π with (p − π)² ≤ z²·π(1 − π)/n.
  ///
  /// Both ends solve (1 + w)π² − (2p + w)π + p² = 0 with w = z²/n; the lower one is taken from the product
  /// of the roots, which does not cancel when p is small.
  public static func wilson(share p: Double, n: Double, alpha: Double = 0.05) -> Interval? {
    guard n > 0, p >= 0, p <= 1, let z = Normal.upperQuantile(alpha / 2) else { return nil }
    let w = z * z / n
    let root = (w * (w + 4 * p * (1 - p))).squareRoot()
    let high = min(1, (2 * p + w + root) / (2 * (1 + w)))
    let low = high > 0 ? p * p / ((1 + w) * high) : 0
    return Interval(low, p == 1 ? 1 : high)
  }

  private static func symmetric(_ frame: MeanFrame, alpha: Double) -> Interval? {
    guard let variance = frame.squaredError,
      let quantile = StudentT(degreesOfFreedom: frame.degreesOfFreedom)?.upperQuantile(alpha / 2)
    else { return nil }
    let halfWidth = quantile * variance.squareRoot()
    return Interval(frame.mean - halfWidth, frame.mean + halfWidth)
  }
}
