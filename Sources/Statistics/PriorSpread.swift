import Foundation

/// How much true lifts differ from test to test, from measured ones.
public enum PriorSpread {
  /// No programme of tests is taken to move less than this.
  public static let least = 0.01
  /// Nor more.
  public static let most = 2.0

  /// τ of lifts that are Student's t with 3 degrees of freedom about 0, of standard deviation τ, and were measured with normal
  /// errors: the maximum of the marginal likelihood Π ∫ t₃(r)·φ((r̂ − r)/√v)/√v dr (Azevedo, Deng, Montiel Olea, Rao & Weyl
  /// 2020, "A/B testing with fat tails").
  ///
  /// - Parameter lifts: each measured lift r̂ with its variance v.
  /// - Returns: between `least` and `most`; `nil` without a lift of a positive variance.
  public static func deviation(of lifts: [(lift: Double, variance: Double)]) -> Double? {
    let known = lifts.filter { $0.variance > 0 && $0.variance.isFinite && $0.lift.isFinite }
    guard !known.isEmpty else { return nil }
    func cost(_ logarithm: Double) -> Double {
      let deviation = exp(logarithm)
      return known.reduce(0) { $0 - log(marginal($1.lift, error: $1.variance.squareRoot(), deviation)) }
    }
    // The likelihood may have more than one hill: the best of a grid, then the golden section about it.
    let (first, last) = (log(least), log(most))
    let step = (last - first) / 60
    let grid = (0...60).map { first + Double($0) * step }
    let costs = grid.map(cost)
    let best = costs.indices.min { costs[$0] < costs[$1] }.map { grid[$0] } ?? first
    var (low, high) = (max(first, best - step), min(last, best + step))
    let section = (5.0.squareRoot() - 1) / 2
    for _ in 0..<40 {
      let (left, right) = (high - section * (high - low), low + section * (high - low))
      if cost(left) <= cost(right) { high = right } else { low = left }
    }
    return exp((low + high) / 2)
  }

  /// The density of a measured lift, up to a constant, at least the smallest number above 0.
  ///
  /// Integrated piece by piece over the twelve standard errors about it: pieces of an error's width, and of the prior's about
  /// 0, as either may be the narrower.
  private static func marginal(_ lift: Double, error: Double, _ deviation: Double) -> Double {
    var ends: Set<Double> = [0]
    for k in -12...12 { ends.insert(lift + error * Double(k)) }
    for k in 1..<16 { for sign in [-1.0, 1] { ends.insert(sign * deviation * tan(.pi * Double(k) / 32)) } }
    let (low, high) = (lift - 12 * error, lift + 12 * error)
    let sorted = ends.filter { $0 >= low && $0 <= high }.sorted()
    let rule = GaussLegendre.rule(atLeast: 16)
    let sum = zip(sorted, sorted.dropFirst()).reduce(0.0) { sum, range in
      guard let piece = Interval(range.0, range.1) else { return sum }
      return rule.points(in: piece).reduce(sum) { sum, point in
        let (z, scaled) = ((point.x - lift) / error, point.x / deviation)
        let tail = 1 + scaled * scaled
        return sum + point.weight * exp(-z * z / 2) / (tail * tail)
      }
    }
    return max(sum / (error * deviation), .leastNormalMagnitude)
  }
}
