import Foundation

/// How much true lifts differ from test to test, from measured ones.
public enum PriorSpread {
  /// No programme of tests is taken to move less than this.
  public static let least = 0.01
  /// Nor more.
  public static let most = 2.0

  /// τ of lifts that are normal about 0 and were measured with normal errors: the maximum of
  /// −½·Σ(ln(τ² + v) + r²/(τ² + v)), the marginal likelihood (Efron & Morris 1973, "Stein's estimation rule and its
  /// competitors").
  ///
  /// - Parameter lifts: each measured lift r with its variance v.
  /// - Returns: between `least` and `most`; `nil` without a lift of a positive variance.
  public static func deviation(of lifts: [(lift: Double, variance: Double)]) -> Double? {
    let known = lifts.filter { $0.variance > 0 && $0.variance.isFinite && $0.lift.isFinite }
    guard !known.isEmpty else { return nil }
    func cost(_ logarithm: Double) -> Double {
      let square = exp(2 * logarithm)
      return known.reduce(0) { $0 + log(square + $1.variance) + $1.lift * $1.lift / (square + $1.variance) }
    }
    // The likelihood may have more than one hill: the best of a grid, then the golden section about it.
    let (first, last) = (log(least), log(most))
    let step = (last - first) / 200
    let grid = (0...200).map { first + Double($0) * step }
    let best = grid.min { cost($0) < cost($1) } ?? first
    var (low, high) = (max(first, best - step), min(last, best + step))
    let section = (5.0.squareRoot() - 1) / 2
    for _ in 0..<60 {
      let (left, right) = (high - section * (high - low), low + section * (high - low))
      if cost(left) <= cost(right) { high = right } else { low = left }
    }
    return exp((low + high) / 2)
  }
}
