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

  func outcome(_ test: any DecidingTest, level: Double, _ options: ComparisonOptions) -> TestOutcome? {
    let conditions = conditions(options)
    guard let c = test.multiplier(level: level, conditions) else { return nil }
    let absInterval = absInterval(multiplier: c)
    let excludesZero = absInterval.map { !$0.contains(0) } ?? (abs(statistic) > c)
    return TestOutcome(
      pValue: test.pValue(statistic: statistic, conditions).map {
        Self.reconciled($0, isSignificant: excludesZero, level: level)
      },
      absInterval: absInterval, relInterval: relInterval(multiplier: c))
  }

  func oneSided(
    _ test: any DecidingTest, ratio rho: Double, isAbove: Bool, _ options: ComparisonOptions
  ) -> Double? {
    guard baselineMean > 0, StudentT(degreesOfFreedom: nu) != nil,
      let statistic = statistic(ratio: rho).map({ isAbove ? $0 : -$0 })
    else { return nil }
    return test.upperPValue(statistic: statistic, conditions(options))
  }

  /// δ·SE/|m_A|, δ the noncentrality at which the deciding test, two-sided, has the chosen power.
  func detectableLift(_ options: ComparisonOptions) -> Double? {
    let test = options.decides
    guard let critical = test.multiplier(level: options.alpha, conditions(options)) else { return nil }
    let effect = DetectableEffect.noncentrality(
      degreesOfFreedom: test.treatsErrorAsKnown ? .infinity : nu, critical: critical, power: options.power)
    return effect.flatMap { ($0 * error / abs(baselineMean)).ifFinite }
  }

  func nominalLevel(_ level: Double, _ options: ComparisonOptions) -> Double {
    options.decides.nominalLevel(level, conditions(options))
  }

  private func conditions(_ options: ComparisonOptions) -> TestConditions {
    TestConditions(alpha: options.alpha, users: totalUsers, degreesOfFreedom: nu, look: options.look)
  }

  /// Quantile and tail are inverse only up to rounding: where d lies on the very edge, the interval decides.
  private static func reconciled(_ pValue: Double, isSignificant: Bool, level: Double) -> Double {
    isSignificant ? min(pValue, level.nextDown) : max(pValue, level)
  }
}
