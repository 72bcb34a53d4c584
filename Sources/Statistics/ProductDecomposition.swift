/// What each factor has to do with the difference of two products: a₁·a₂·…·aₙ against b₁·b₂·…·bₙ.
///
/// A factor's part is the difference that it makes while the others are as in the first or as in the second product,
/// averaged over all the ways from the one to the other: Das Gupta 1993, *Standardization and Decomposition of Rates: A
/// User's Manual* (Census P23-186), chapter 2, which is Shapley's value (1953). The parts add up to the difference, no
/// order of the factors has a say, and what does not differ has no part.
public enum ProductDecomposition {
  /// The parts, factor by factor.
  ///
  /// Of factor i it is (bᵢ − aᵢ)·Σₛ s!(n − 1 − s)!/n!·cₛ, cₛ the sum of the products in which s of the other factors are
  /// the second's: the coefficients of Π(aⱼ + bⱼt).
  ///
  /// - Parameters:
  ///   - first: a, the factors of the product that is compared with.
  ///   - second: b, as many.
  public static func parts(from first: [Double], to second: [Double]) -> [Double] {
    let count = first.count
    let weights = shares(of: count)
    return first.indices.map { factor in
      var sums = [1.0]
      for other in first.indices where other != factor {
        var next = [Double](repeating: 0, count: sums.count + 1)
        for (seconds, sum) in sums.enumerated() {
          next[seconds] += sum * first[other]
          next[seconds + 1] += sum * second[other]
        }
        sums = next
      }
      let around = zip(weights, sums).reduce(0) { $0 + $1.0 * $1.1 }
      return (second[factor] - first[factor]) * around
    }
  }

  /// s!(n − 1 − s)!/n! for s from 0 to n − 1: 1/(n·C(n − 1, s)).
  private static func shares(of count: Int) -> [Double] {
    var choices = 1.0
    return (0..<count).map { seconds in
      defer { choices *= Double(count - 1 - seconds) / Double(seconds + 1) }
      return 1 / (Double(count) * choices)
    }
  }
}
