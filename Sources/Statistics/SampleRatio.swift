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

  /// Compares counts with weights.
  ///
  /// - Parameters:
  ///   - counts: users by group.
  ///   - weights: the share meant for each group, in any unit.
  /// - Returns: `nil` unless there are two groups or more, users, and only positive weights.
  public init?(counts: [Int], weights: [Double]) {
    let total = counts.reduce(into: 0.0) { $0 += Double($1) }
    let weight = weights.reduce(0, +)
    guard counts.count == weights.count, counts.count > 1, counts.allSatisfy({ $0 >= 0 }),
      weights.allSatisfy({ $0 > 0 }), weight.isFinite, total > 0, total < 9e15,
      let distribution = ChiSquared(degreesOfFreedom: Double(counts.count - 1))
    else { return nil }
    let shares = weights.map { $0 / weight }
    // nᵢ − N·wᵢ in doubled precision: with 10⁹ users a rounded share would already show.
    let excesses = zip(counts, weights).map { count, w in
      (DoubleDouble(product: Double(count), weight) - DoubleDouble(product: total, w)).value / weight
    }
    expected = shares.map { $0 * total }
    chiSquare = zip(excesses, expected).reduce(0) { $0 + $1.0 / $1.1 * $1.0 }
    guard let pValue = distribution.sf(chiSquare) else { return nil }
    self.pValue = pValue
    sequentialPValue = Self.sequential(excesses: excesses, counts: counts, shares: shares, total: total)
  }

  /// min(1, ∏wᵢ^nᵢ·B(α)/B(α + n)) with αᵢ = k·wᵢ: the inverse Bayes factor of a Dirichlet prior against
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
    let k = priorUsers
    let groups = Double(shares.count)
    var logP = 0.5 * (log(k) - log(k + total)) + Stirling.error(k + total) - Stirling.error(k)
    for (index, share) in shares.enumerated() {
      let prior = k * share
      let posterior = prior + Double(counts[index])
      logP -= Stirling.deviance(excess: excesses[index], mean: (k + total) * share)
      logP += 0.5 * (log(posterior) - log(prior)) + Stirling.error(prior) - Stirling.error(posterior)
    }
    return groups > 1 ? min(1, exp(logP)) : 1
  }
}
