extension Comparison {
  /// Compares what is left of two curves at one time, with the variance that both have where they are one curve.
  ///
  /// S̄²·Σ h/(n_g(1 − h)) over the times up to then, with h the share of both groups together that ended of those at risk,
  /// S̄ what that leaves, and n_g the group's own at risk: Greenwood's with the pooled pace (Kalbfleisch & Prentice 2002).
  /// Greenwood's own is 0 while nobody of a small group has ended, and then calls anything a difference.
  ///
  /// - Parameters:
  ///   - shares: what is left of the baseline's curve and of the other's.
  ///   - baseline: the baseline's counts; `other` the other group's.
  ///   - time: when the curves are read.
  /// - Returns: `nil` for negative counts.
  public init?(
    shares: (baseline: Double, other: Double), baseline: [SurvivalCount], other: [SurvivalCount], at time: Int,
    options: ComparisonOptions = .init()
  ) {
    guard let steps = LogRank.steps(baseline, other) else { return nil }
    var survival = 1.0
    var (hazardA, hazardB) = (0.0, 0.0)
    for step in steps where step.time <= time {
      let pace = step.ended / (step.atRiskA + step.atRiskB)
      survival *= 1 - pace
      if step.atRiskA > 0 { hazardA += pace / (step.atRiskA * (1 - pace)) }
      if step.atRiskB > 0 { hazardB += pace / (step.atRiskB * (1 - pace)) }
    }
    func frame(_ share: Double, _ counts: [SurvivalCount], _ hazard: Double) -> MeanFrame? {
      MeanFrame(
        n: counts.reduce(0) { $0 + Double($1.ended + $1.censored) }, mean: share,
        squaredError: survival > 0 ? survival * survival * hazard : nil, degreesOfFreedom: .infinity)
    }
    guard let a = frame(shares.baseline, baseline, hazardA), let b = frame(shares.other, other, hazardB) else {
      return nil
    }
    self.init(baseline: a, other: b, options: options)
  }
}
