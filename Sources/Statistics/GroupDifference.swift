/// Two groups' difference in standard errors: a test whose statistic is d/SE.
protocol GroupDifference: GroupTest {
  /// m_A, the baseline's value.
  var baselineMean: Double { get }
  /// d = m_B − m_A.
  var difference: Double { get }
  /// SE of d where the groups do not differ, above zero.
  var error: Double { get }
  /// ν of the statistic's t distribution; infinite for a normal one.
  var nu: Double { get }
  /// N = n_A + n_B.
  var totalUsers: Double { get }

  /// How far m_B lies above ρ·m_A, in standard errors; `nil` where that cannot be said.
  func statistic(ratio rho: Double) -> Double?
  /// The differences less than c standard errors away.
  func absInterval(multiplier c: Double) -> Interval?
  /// The lifts ρ − 1 less than c standard errors away; `nil` where they are unbounded.
  func relInterval(multiplier c: Double) -> Interval?
}

extension GroupDifference {
  var standardError: Double? { error }
  var degreesOfFreedom: Double? { nu.ifFinite }

  /// d/SE.
  var statistic: Double { difference / error }

  /// r = d/m_A; `nil` for a baseline of zero.
  var lift: Double? { (difference / baselineMean).ifFinite }

  func outcome(_ test: DecidingTest, level: Double, _ options: ComparisonOptions) -> TestOutcome? {
    guard let c = multiplier(test, level: level, options) else { return nil }
    let absInterval = absInterval(multiplier: c)
    let excludesZero = absInterval.map { !$0.contains(0) } ?? (abs(statistic) > c)
    return TestOutcome(
      pValue: pValue(test, options).map { Self.reconciled($0, isSignificant: excludesZero, level: level) },
      absInterval: absInterval, relInterval: relInterval(multiplier: c))
  }

  func oneSided(
    ratio rho: Double, isAbove: Bool, _ options: ComparisonOptions
  ) -> (fixed: Double, sequential: Double?)? {
    guard baselineMean > 0, let distribution = StudentT(degreesOfFreedom: nu),
      let statistic = statistic(ratio: rho).map({ isAbove ? $0 : -$0 })
    else { return nil }
    let sequence = SequentialTest(alpha: options.alpha, tuning: options.tuning)
    return (
      distribution.upper(statistic),
      statistic > 0 ? sequence?.pValue(statistic: statistic, users: totalUsers) : 1
    )
  }

  /// δ·SE/|m_A|, δ the noncentrality at which the deciding test, two-sided, has the chosen power.
  func detectableLift(_ options: ComparisonOptions) -> Double? {
    guard let critical = multiplier(options.decides, level: options.alpha, options) else { return nil }
    let effect = DetectableEffect.noncentrality(
      degreesOfFreedom: options.decides == .sequential ? .infinity : nu, critical: critical, power: options.power)
    return effect.flatMap { ($0 * error / abs(baselineMean)).ifFinite }
  }

  /// c, the half-width of the test's interval at 1 − `level` in standard errors.
  private func multiplier(_ test: DecidingTest, level: Double, _ options: ComparisonOptions) -> Double? {
    switch test {
    case .fixed: StudentT(degreesOfFreedom: nu)?.upperQuantile(level / 2)
    case .sequential:
      SequentialTest(alpha: options.alpha, tuning: options.tuning)?.multiplier(users: totalUsers, level: level)
    }
  }

  private func pValue(_ test: DecidingTest, _ options: ComparisonOptions) -> Double? {
    switch test {
    case .fixed: StudentT(degreesOfFreedom: nu)?.twoSided(statistic)
    case .sequential:
      SequentialTest(alpha: options.alpha, tuning: options.tuning)?.pValue(statistic: statistic, users: totalUsers)
    }
  }

  /// Quantile and tail are inverse only up to rounding: where d lies on the very edge, the interval decides.
  private static func reconciled(_ pValue: Double, isSignificant: Bool, level: Double) -> Double {
    isSignificant ? min(pValue, level.nextDown) : max(pValue, level)
  }
}
