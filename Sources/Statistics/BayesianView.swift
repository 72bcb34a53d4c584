/// How likely the other group is better, and what choosing it may cost: a normal posterior of the lift.
///
/// The lift r with its delta variance v is the likelihood, N(μ₀, σ₀²) the prior, flat by default; then
/// 1/σ² = 1/v + 1/σ₀² and μ = σ²·(r/v + μ₀/σ₀²). Not protected against repeated looks.
public struct BayesianView: Sendable, Hashable {
  /// μ, the posterior mean of the lift.
  public let mean: Double
  /// σ, the posterior standard deviation of the lift.
  public let standardDeviation: Double
  /// The probability that the other group is better: Φ(μ/σ), its complement where less is better.
  public let chanceToWin: Double
  /// What choosing the other group loses on average, in lift, given the chance that it is worse:
  /// E[max(0, −r)] = σφ(μ/σ) − μΦ(−μ/σ); where less is better E[max(0, r)], the same with −μ for μ.
  public let expectedLoss: Double

  /// Makes the posterior; `nil` unless v and the prior's deviation are positive.
  ///
  /// - Parameters:
  ///   - lift: the estimated lift r.
  ///   - variance: its variance v.
  ///   - prior: the prior; flat when `nil`.
  ///   - goal: in which direction the metric is better.
  public init?(lift: Double, variance: Double, prior: NormalPrior? = nil, goal: Goal = .increase) {
    guard variance > 0, variance.isFinite, lift.isFinite else { return nil }
    var (mean, posterior) = (lift, variance)
    if let prior {
      guard prior.standardDeviation > 0, prior.mean.isFinite else { return nil }
      let priorVariance = prior.standardDeviation * prior.standardDeviation
      posterior = 1 / (1 / variance + 1 / priorVariance)
      mean = posterior * (lift / variance + prior.mean / priorVariance)
    }
    let deviation = posterior.squareRoot()
    let z = (goal == .increase ? mean : -mean) / deviation
    let loss = deviation * Normal.excess(z)
    guard mean.isFinite, deviation.isFinite, z.isFinite, loss.isFinite else { return nil }
    self.mean = mean
    standardDeviation = deviation
    chanceToWin = Normal.lower(z)
    expectedLoss = loss
  }
}
