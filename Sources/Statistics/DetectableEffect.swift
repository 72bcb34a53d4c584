/// The noncentrality at which a two-sided test reaches a power: a t test, or with infinite degrees of freedom one
/// of a normal statistic.
enum DetectableEffect {
  /// The probability that |T| > c when T is noncentral with δ ≥ 0, and its derivative by δ.
  static func power(
    noncentrality delta: Double,
    degreesOfFreedom: Double,
    critical: Double
  ) -> (value: Double, slope: Double) {
    guard
      let distribution = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: delta)
    else { return (.nan, .nan) }
    let outside = distribution.outside(critical)
    return (outside.probability, outside.slope)
  }

  /// Solves power(δ) = `power` by Newton's method from c + z(power).
  ///
  /// - Parameter critical: c, beyond which the test finds a difference.
  /// - Returns: `nil` where no difference at all is found with that power already.
  static func noncentrality(degreesOfFreedom: Double, critical: Double, power: Double) -> Double? {
    guard power < 1, let reserve = Normal.quantile(power),
      Self.power(noncentrality: 0, degreesOfFreedom: degreesOfFreedom, critical: critical).value < power
    else { return nil }
    // Few degrees of freedom widen the need in proportion to c, as the chi below it does.
    let start = max(critical + reserve * (1 + critical * critical / (2 * degreesOfFreedom)).squareRoot(), 0.1)
    let limit = 1e9 * (1 + critical)
    return Inversion.root(start: start, low: 0, high: limit, isIncreasing: true) { delta in
      let (value, slope) = Self.power(
        noncentrality: delta,
        degreesOfFreedom: degreesOfFreedom,
        critical: critical
      )
      return (value - power, slope)
    }?.ifFinite
  }
}
