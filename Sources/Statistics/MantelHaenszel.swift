/// Two groups compared within strata: each stratum weighs by n_A·n_B/(n_A + n_B), what it knows of a difference.
///
/// m = Σ wₛ·mₛ/Σ wₛ in both groups, from the strata that have users of both, so that groups whose shares change from
/// stratum to stratum, from day to day say, are compared at equal times (Mantel & Haenszel 1959; Cochran 1954). A
/// stratum that only one group has says nothing of their difference, and is left out.
///
/// Of shares the variance is that under the null, within each stratum of p̄ₛ, with Nₛ − 1: d²/SE² is the
/// Cochran–Mantel–Haenszel statistic (without the correction for continuity), and unequal groups do not raise false
/// calls. Of means and ratios V = Σ wₛ²·Vₛ/(Σ wₛ)² as in ``PostStratification``, from strata with two users or more of
/// both.
public struct MantelHaenszel: Sendable, Hashable {
  /// A's estimate, ready for ``Comparison``.
  public let baseline: MeanFrame
  /// B's.
  public let other: MeanFrame

  /// - Parameter strata: for each stratum the moments of both groups.
  /// - Returns: `nil` where no stratum has users of both groups, and where a ratio has no denominator.
  public init?(strata: [(baseline: SampleMoments, other: SampleMoments)]) {
    let isShare = strata.first?.baseline.kind == .proportion
    let least = isShare ? 1.0 : 2.0
    let strata = strata.filter { $0.baseline.n >= least && $0.other.n >= least }
    let weights = strata.map { $0.baseline.n * $0.other.n / ($0.baseline.n + $0.other.n) }
    let groups = [strata.map(\.baseline), strata.map(\.other)]
    let nullVariances = isShare ? strata.map { Self.nullVariance($0.baseline, $0.other) } : nil
    let frames = groups.map { Self.frame($0, weights, nullVariances) }
    guard let baseline = frames[0], let other = frames[1] else { return nil }
    self.baseline = baseline
    self.other = other
  }

  private static func frame(_ moments: [SampleMoments], _ weights: [Double], _ nullVariances: [Double]?) -> MeanFrame? {
    guard let nullVariances else { return PostStratification.frame(zip(weights, moments).map { ($0, $1) }) }
    let total = weights.reduce(0, +)
    guard total > 0 else { return nil }
    let mean = zip(weights, moments).reduce(0) { $0 + $1.0 * ($1.1.meanY ?? 0) } / total
    let variance = zip(weights, zip(moments, nullVariances)).reduce(0) { $0 + $1.0 * $1.0 * $1.1.1 / $1.1.0.n }
    return MeanFrame(
      n: moments.reduce(0) { $0 + $1.n },
      mean: mean,
      squaredError: variance / (total * total),
      degreesOfFreedom: .infinity
    )
  }

  /// p̄(1 − p̄)·N/(N − 1) of a stratum's users together.
  private static func nullVariance(_ a: SampleMoments, _ b: SampleMoments) -> Double {
    let users = a.n + b.n
    let share = (a.totalY + b.totalY) / users
    return max(0, share * (1 - share)) * users / (users - 1)
  }
}
