/// Group means as if every group had the same mix of strata.
///
/// Each stratum counts by its share wₛ among the users of all groups: m = Σ wₛ·mₛ, V = Σ wₛ²·Vₛ (Miratrix,
/// Sekhon & Yu 2013), degrees of freedom V²/Σ((wₛ²Vₛ)²/(nₛ − 1)) by Satterthwaite (1946). A ratio is that of the
/// weighted numerators to the weighted denominators, with the variance of its linearised quantity.
public struct PostStratification: Sendable, Hashable {
  /// wₛ, in the order of the strata; they add up to 1.
  public let weights: [Double]
  /// The groups in the order given, ready for ``Comparison``; `nil` for one that lacks users in a stratum.
  public let frames: [MeanFrame?]

  /// Weights strata of groups; `nil` without users, or unless every stratum has the same groups.
  ///
  /// - Parameter strata: for each stratum the moments of every group, groups in one order.
  public init?(strata: [[SampleMoments]]) {
    guard let groups = strata.first?.count, groups > 0, strata.allSatisfy({ $0.count == groups }) else {
      return nil
    }
    let sizes = strata.map { $0.reduce(0) { $0 + $1.n } }
    let total = sizes.reduce(0, +)
    guard total > 0, total.isFinite else { return nil }
    let weights = sizes.map { $0 / total }
    self.weights = weights
    frames = (0..<groups).map { group in
      Self.frame(zip(weights, strata).filter { $0.0 > 0 }.map { ($0, $1[group]) })
    }
  }

  /// One group's estimate with strata of any weights; `nil` where a stratum has no users of it.
  static func frame(_ strata: [(weight: Double, moments: SampleMoments)]) -> MeanFrame? {
    let isRatio = strata.first?.moments.kind == .ratio
    var (top, bottom, users) = (0.0, 0.0, 0.0)
    for (weight, moments) in strata {
      guard let meanY = moments.meanY, let meanX = moments.meanX else { return nil }
      top += weight * meanY
      bottom += weight * (isRatio ? meanX : 1)
      users += moments.n
    }
    guard let mean = (top / bottom).ifFinite else { return nil }
    let spread = error(strata, ratio: isRatio ? mean : nil, denominator: bottom)
    return MeanFrame(
      n: users,
      mean: mean,
      squaredError: spread?.squaredError,
      degreesOfFreedom: spread?.degreesOfFreedom ?? 0
    )
  }

  /// V and its degrees of freedom; `nil` where a stratum has a single user.
  private static func error(
    _ strata: [(weight: Double, moments: SampleMoments)],
    ratio: Double?,
    denominator: Double
  ) -> (squaredError: Double, degreesOfFreedom: Double)? {
    var (total, weighted) = (0.0, 0.0)
    for (weight, moments) in strata {
      guard let variance = variance(moments, ratio) else { return nil }
      let part = weight * weight * max(0, variance) / (denominator * denominator) / moments.n
      total += part
      weighted += part * part / (moments.n - 1)
    }
    let degrees = weighted > 0 ? total * total / weighted : strata.reduce(0) { $0 + $1.moments.n - 1 }
    return total.isFinite ? (total, degrees) : nil
  }

  /// s_y², for a ratio that of y − R·x.
  private static func variance(_ moments: SampleMoments, _ ratio: Double?) -> Double? {
    guard let ratio else { return moments.varianceY }
    guard let yy = moments.varianceY, let xx = moments.varianceX, let xy = moments.covarianceXY else {
      return nil
    }
    return yy + ratio * (ratio * xx - 2 * xy)
  }
}
