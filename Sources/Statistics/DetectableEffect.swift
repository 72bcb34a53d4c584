/// The noncentrality at which a two-sided t test reaches a power.
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
  static func noncentrality(degreesOfFreedom: Double, alpha: Double, power: Double) -> Double? {
    guard power > alpha, power < 1,
      let critical = StudentT(degreesOfFreedom: degreesOfFreedom)?.upperQuantile(alpha / 2),
      let reserve = Normal.quantile(power)
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
