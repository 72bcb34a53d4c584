/// Two curves up to one time, at the pace of both together.
private struct PooledCurve {
  /// S̄, what the pooled pace leaves.
  private(set) var survival = 1.0
  /// Σ h/(n_g(1 − h)) of each group, h the share of both groups together that ended of those at risk, n_g the group's own
  /// at risk: S̄² times it is Greenwood's variance with the pooled pace (Kalbfleisch & Prentice 2002).
  private(set) var hazards = (baseline: 0.0, other: 0.0)

  /// `nil` for negative counts.
  init?(_ baseline: [SurvivalCount], _ other: [SurvivalCount], at time: Int) {
    guard let steps = LogRank.steps(baseline, other) else { return nil }
    for step in steps where step.time <= time {
      let pace = step.ended / (step.atRiskA + step.atRiskB)
      survival *= 1 - pace
      if step.atRiskA > 0 { hazards.baseline += pace / (step.atRiskA * (1 - pace)) }
      if step.atRiskB > 0 { hazards.other += pace / (step.atRiskB * (1 - pace)) }
    }
  }
}

extension Comparison {
  /// Compares what is left of two curves at one time, with the variance that both have where they are one curve.
  ///
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
    guard let pooled = PooledCurve(baseline, other, at: time) else { return nil }
    func frame(_ share: Double, _ counts: [SurvivalCount], _ hazard: Double) -> MeanFrame? {
      MeanFrame(
        n: counts.reduce(0) { $0 + Double($1.ended + $1.censored) }, mean: share,
        squaredError: pooled.survival > 0 ? pooled.survival * pooled.survival * hazard : nil,
        degreesOfFreedom: .infinity)
    }
    guard let a = frame(shares.baseline, baseline, pooled.hazards.baseline),
      let b = frame(shares.other, other, pooled.hazards.other)
    else { return nil }
    self.init(baseline: a, other: b, options: options)
  }

  /// Compares the share of all users who began and were left at one time, p·S, with the variance that both groups have where
  /// they are alike in both: S̄²·p̄(1 − p̄)/n_g + p̄²·S̄²·Σ h/(n_g(1 − h)), p̄ the share of both that began.
  ///
  /// Who begins and how long they stay are independent in large samples, so that the product's variance is the delta
  /// method's.
  ///
  /// - Parameters:
  ///   - shares: what is left of the baseline's curve and of the other's.
  ///   - users: the users of each group, who began and who did not.
  /// - Returns: `nil` for negative counts, and where a group has no users.
  public init?(
    shares: (baseline: Double, other: Double), users: (baseline: Double, other: Double), baseline: [SurvivalCount],
    other: [SurvivalCount], at time: Int, options: ComparisonOptions = .init()
  ) {
    guard users.baseline > 0, users.other > 0, let pooled = PooledCurve(baseline, other, at: time) else { return nil }
    let began = [baseline, other].map { $0.reduce(0) { $0 + Double($1.ended + $1.censored) } }
    let share = (began[0] + began[1]) / (users.baseline + users.other)
    func frame(_ left: Double, _ began: Double, _ users: Double, _ hazard: Double) -> MeanFrame? {
      let variance = pooled.survival * pooled.survival * (share * (1 - share) / users + share * share * hazard)
      return MeanFrame(
        n: users, mean: began / users * left, squaredError: variance > 0 ? variance : nil, degreesOfFreedom: .infinity)
    }
    guard let a = frame(shares.baseline, began[0], users.baseline, pooled.hazards.baseline),
      let b = frame(shares.other, began[1], users.other, pooled.hazards.other)
    else { return nil }
    self.init(baseline: a, other: b, options: options)
  }
}
