/// The noncentrality at which a two-sided t test reaches a power.
enum DetectableEffect {
  /// The probability that |T| > c when T is noncentral with δ.
  static func power(noncentrality: Double, degreesOfFreedom: Double, critical: Double) -> Double {
    guard let upper = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: noncentrality),
      let lower = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: -noncentrality)
    else { return 0 }
    return upper.upper(critical) + lower.upper(critical)
  }

  /// Solves power(δ) = `power` by Newton's method from c + z(power).
  static func noncentrality(degreesOfFreedom: Double, alpha: Double, power: Double) -> Double? {
    guard power > alpha, power < 1,
      let critical = StudentT(degreesOfFreedom: degreesOfFreedom)?.upperQuantile(alpha / 2),
      let reserve = Normal.quantile(power)
    else { return nil }
    return Inversion.root(
      start: max(critical + reserve, 0.1),
      low: 0,
      high: 1e9 * (1 + critical),
      isIncreasing: true
    ) { delta in
      guard let upper = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: delta),
        let lower = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: -delta)
      else { return (.nan, .nan) }
      let value = upper.upper(critical) + lower.upper(critical)
      return (value - power, upper.slope(critical) - lower.slope(critical))
    }?.ifFinite
  }
}
