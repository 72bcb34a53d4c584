/// Means adjusted by a covariate known beforehand, so that what was different from the start counts less.
///
/// CUPED (Deng, Xu, Kohavi & Walker 2013): m − θ(c̄ − c̄_all) with θ = Cov(y, c)/Var(c) over the users of all
/// groups together, as tea-tasting takes it. Its variance per user is s_y² + θ²s_c² − 2θs_yc. A ratio is
/// adjusted through its linearised quantity (y − R·x)/x̄.
public struct CovariateAdjustment: Sendable, Hashable {
  /// θ, in units of the value for one of the covariate.
  public let theta: Double
  /// 1 − ΣV'/ΣV over the groups: the share of variance that the adjustment saves; `nil` where V is missing
  /// or zero. Negative where groups differ so much that one θ does not fit them.
  public let varianceSaved: Double?
  /// The adjusted groups in the order given, ready for ``Comparison``; `nil` for one without a value.
  public let frames: [MeanFrame?]

  /// Adjusts all groups of a test; `nil` where the covariate does not vary or is missing.
  ///
  /// - Parameter groups: every group's moments, of one kind and with the sums of c.
  public init?(groups: [SampleMoments]) {
    guard let all = Self.merged(groups), let variance = all.varianceC, variance > 0,
      let covariance = all.covarianceWithC, let mean = all.meanC,
      let theta = (covariance / variance).ifFinite
    else { return nil }
    self.theta = theta
    let frames = groups.map { Self.adjusted($0, theta: theta, mean: mean) }
    self.frames = frames
    varianceSaved = Self.saved(frames, groups.map { MeanFrame($0) })
  }

  private static func merged(_ groups: [SampleMoments]) -> SampleMoments? {
    guard let first = groups.first, groups.allSatisfy({ $0.kind == first.kind }) else { return nil }
    return groups.dropFirst().reduce(Optional(first)) { sum, group in try? sum?.merging(group) }
  }

  private static func adjusted(_ group: SampleMoments, theta: Double, mean: Double) -> MeanFrame? {
    guard let value = group.value, let meanC = group.meanC else { return nil }
    var squaredError: Double?
    if let variance = group.variance, let varianceC = group.varianceC, let covariance = group.covarianceWithC {
      squaredError = max(0, variance + theta * (theta * varianceC - 2 * covariance)) / group.n
    }
    return MeanFrame(
      n: group.n,
      mean: value - theta * (meanC - mean),
      squaredError: squaredError,
      degreesOfFreedom: group.n - 1
    )
  }

  private static func saved(_ adjusted: [MeanFrame?], _ plain: [MeanFrame?]) -> Double? {
    var (before, after) = (0.0, 0.0)
    for (old, new) in zip(plain, adjusted) {
      guard let old = old?.squaredError, let new = new?.squaredError else { return nil }
      before += old
      after += new
    }
    return before > 0 ? (1 - after / before).ifFinite : nil
  }
}
