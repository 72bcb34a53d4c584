import Foundation

/// The binomial distribution of the number of successes among n trials.
public struct Binomial: Sendable, Hashable {
  /// The number of trials.
  public let n: Double
  /// The probability of a success.
  public let p: Double

  /// Makes the distribution; `nil` unless 0 ≤ n ≤ 10¹² and 0 ≤ p ≤ 1.
  public init?(trials: Int, probability: Double) {
    guard trials >= 0, trials <= 1_000_000_000_000, probability >= 0, probability <= 1 else { return nil }
    n = Double(trials)
    p = probability
  }

  /// The probability of exactly k successes.
  func mass(_ k: Double) -> Double {
    if k < 0 || k > n { return 0 }
    if p == 0 { return k == 0 ? 1 : 0 }
    if p == 1 { return k == n ? 1 : 0 }
    if k == 0 { return exp(n * log1p(-p)) }
    if k == n { return exp(n * log(p)) }
    // Loader 2000: the beta kernel at (k, n − k), over k(n − k)/n.
    let kernel = IncompleteBeta(a: k, b: n - k, x: DoubleDouble(p), y: DoubleDouble(sum: 1, -p)).kernel
    return kernel * n / k / (n - k)
  }
}
