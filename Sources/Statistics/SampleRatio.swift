import Foundation

/// Whether users fell into groups in the proportions they were meant to.
public struct SampleRatio: Sendable, Hashable {
  /// Each group's expected number of users, N·wᵢ/Σw.
  public let expected: [Double]
  /// Pearson's χ², Σ(nᵢ − N·wᵢ)²/(N·wᵢ).
  public let chiSquare: Double
  /// The probability of a χ² at least as large: for a test read once.
  public let pValue: Double
  /// The always-valid p-value: may be read after every user.
  public let sequentialPValue: Double

  /// How many users the always-valid test's Dirichlet prior counts for, spread over the groups by weight.
  ///
  /// Weak enough for few users to speak against it: 600 of 1,000 where half were meant have p = 4e-8.
  public static let priorUsers = 1000.0

  /// Users by group of a time, and the share that was meant for each then, in any unit.
  public typealias Phase = (counts: [Int], weights: [Double])

  /// Compares counts with weights.
  ///
  /// - Parameters:
  ///   - counts: users by group.
  ///   - weights: the share meant for each group, in any unit.
  /// - Returns: `nil` unless there are two groups or more, users, and only positive weights.
  public init?(counts: [Int], weights: [Double]) {
    guard counts.count == weights.count, weights.allSatisfy({ $0 > 0 }) else { return nil }
    self.init(phases: [(counts, weights)])
  }

  /// Compares the counts of times that had weights of their own, groups in one order.
  ///
  /// χ² and its degrees of freedom add up, and so do the logarithms of the always-valid p-values: what is a test
  /// martingale in each phase is one over all of them. A weight of 0 leaves its group out of a phase.
  ///
  /// - Returns: `nil` unless some phase has users and two groups or more with a weight.
  public init?(phases: [Phase]) {
    guard let groups = phases.first?.counts.count,
      phases.allSatisfy({ $0.counts.count == groups && $0.weights.count == groups })
    else { return nil }
    var (expected, chiSquare, degrees) = ([Double](repeating: 0, count: groups), 0.0, 0)
    var logP = 0.0
    for phase in phases {
      guard phase.weights.allSatisfy({ $0 >= 0 && $0.isFinite }), phase.counts.allSatisfy({ $0 >= 0 }) else {
        return nil
      }
      let meant = phase.weights.indices.filter { phase.weights[$0] > 0 }
      guard let fit = Fit(meant.map { phase.counts[$0] }, meant.map { phase.weights[$0] }) else { continue }
      for (position, group) in meant.enumerated() { expected[group] += fit.expected[position] }
      chiSquare += fit.chiSquare
      degrees += meant.count - 1
      logP += fit.logSequential
    }
    guard let pValue = ChiSquared(degreesOfFreedom: Double(degrees))?.sf(chiSquare) else { return nil }
    self.expected = expected
    self.chiSquare = chiSquare
    self.pValue = pValue
    sequentialPValue = min(1, exp(logP))
  }
}

/// How the users of one phase fit its weights.
private struct Fit {
  let expected: [Double]
  let chiSquare: Double
  /// ln of the always-valid p-value, not yet held to at most 1.
  let logSequential: Double

  /// `nil` unless there are two groups or more, and users.
  init?(_ counts: [Int], _ weights: [Double]) {
    let total = counts.reduce(into: 0.0) { $0 += Double($1) }
    let weight = weights.reduce(0, +)
    guard counts.count > 1, weight.isFinite, total > 0, total < 9e15 else { return nil }
    let shares = weights.map { $0 / weight }
    // nᵢ − N·wᵢ in doubled precision: with 10⁹ users a rounded share would already show.
    let excesses = zip(counts, weights).map { count, w in
      (DoubleDouble(product: Double(count), weight) - DoubleDouble(product: total, w)).value / weight
    }
    expected = shares.map { $0 * total }
    chiSquare = zip(excesses, expected).reduce(0) { $0 + $1.0 / $1.1 * $1.0 }
    logSequential = Self.sequential(excesses: excesses, counts: counts, shares: shares, total: total)
  }

  /// ln of ∏wᵢ^nᵢ·B(α)/B(α + n) with αᵢ = k·wᵢ: the inverse Bayes factor of a Dirichlet prior against
  /// the weights, a test martingale (Lindon & Malek 2022, "Anytime-valid inference for multinomial count
  /// data", eq. 6 and 9).
  ///
  /// The log-gammas are taken apart by Stirling's formula: what is left is a deviance of the posterior
  /// shares from the weights, ½-logarithms and remainders, all small numbers.
  private static func sequential(
    excesses: [Double],
    counts: [Int],
    shares: [Double],
    total: Double
  ) -> Double {
    let k = SampleRatio.priorUsers
    var logP = 0.5 * (log(k) - log(k + total)) + Stirling.error(k + total) - Stirling.error(k)
    for (index, share) in shares.enumerated() {
      let prior = k * share
      let posterior = prior + Double(counts[index])
      logP -= Stirling.deviance(excess: excesses[index], mean: (k + total) * share)
      logP += 0.5 * (log(posterior) - log(prior)) + Stirling.error(prior) - Stirling.error(posterior)
    }
    return logP
  }
}
