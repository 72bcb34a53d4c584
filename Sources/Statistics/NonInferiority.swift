/// Whether a group is at least not worse than the baseline by more than a margin of lift.
///
/// With ρ = 1 − margin, the statistic is that of m_B = ρ·m_A, one-sided (Laster & Johnson 2003): Fieller's of means and
/// ratios, with the degrees of freedom of the test of d; the score of proportions. p < α/2 and an interval of the lift
/// above −margin are one event. Where less is better ρ = 1 + margin and the sign turns.
public struct NonInferiority: Sendable, Hashable {
  /// The one-sided p-value of "worse by the margin or more".
  public let pValue: Double

  /// Tests what is compared; `nil` unless the baseline is positive, errors are known and the margin lies in [0, 1).
  public init?(of comparison: Comparison, margin: Double, by test: any DecidingTest = SingleLook()) {
    let options = comparison.options
    let sign: Double = options.goal == .increase ? 1 : -1
    guard margin >= 0, margin < 1,
      let pValue = comparison.tested?.oneSided(
        test, ratio: 1 - sign * margin, isAbove: options.goal == .increase, options)
    else { return nil }
    self.pValue = pValue
  }

  /// The one-sided p-value of "not worse": small where harm is shown; `nil` where it cannot be computed.
  public static func harm(of comparison: Comparison, by test: any DecidingTest = SingleLook()) -> Double? {
    let options = comparison.options
    return comparison.tested?.oneSided(test, ratio: 1, isAbove: options.goal == .decrease, options)
  }
}
