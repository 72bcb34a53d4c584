/// Whether a group is at least not worse than the baseline by more than a margin of lift.
///
/// With ρ = 1 − margin, the statistic (m_B − ρ·m_A)/√(V_B + ρ²V_A) is Fieller's, one-sided (Laster & Johnson
/// 2003), with the degrees of freedom of the test of d: p < α/2 and a Fieller interval above −margin are one
/// event. Where less is better ρ = 1 + margin and the sign turns.
public struct NonInferiority: Sendable, Hashable {
  /// The one-sided p-value of "worse by the margin or more".
  public let pValue: Double
  /// The always-valid one: that of the two-sided confidence sequence while the statistic is on the good
  /// side, else 1; conservative.
  public let sequentialPValue: Double?

  /// Tests two frames; `nil` unless the baseline is positive, errors are known and the margin lies in [0, 1).
  public init?(
    baseline: MeanFrame,
    other: MeanFrame,
    margin: Double,
    options: ComparisonOptions = ComparisonOptions()
  ) {
    guard baseline.mean > 0, margin >= 0, margin < 1,
      let pair = MeanDifference(baseline, other, difference: nil),
      let distribution = StudentT(degreesOfFreedom: pair.degreesOfFreedom)
    else { return nil }
    let sign: Double = options.goal == .increase ? 1 : -1
    let rho = 1 - sign * margin
    let error = (pair.varianceB + rho * rho * pair.varianceA).squareRoot()
    let statistic = sign * (pair.difference + sign * margin * baseline.mean) / error
    guard statistic.isFinite else { return nil }
    pValue = distribution.upper(statistic)
    let test = SequentialTest(alpha: options.alpha, tuning: options.tuning)
    sequentialPValue = statistic > 0 ? test?.pValue(statistic: statistic, users: pair.totalUsers) : 1
  }
}
