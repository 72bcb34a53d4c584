/// Finds where a monotone function takes the value zero.
enum Inversion {
  /// Newton's method kept inside a shrinking bracket; bisection wherever a step would leave it, and where steps do not get
  /// shorter: of a function that is flat on one side and steep on the other they go to and fro.
  ///
  /// - Parameters:
  ///   - start: the first guess, inside the bracket.
  ///   - low: where the function has one sign; may be `-greatestFiniteMagnitude`.
  ///   - high: where it has the other.
  ///   - isIncreasing: the function's direction.
  ///   - scale: a size of the argument below which only absolute accuracy counts: 1 for a logarithm.
  ///   - function: value and derivative at a point; a value that is not a number stops the search.
  static func root(
    start: Double,
    low: Double,
    high: Double,
    isIncreasing: Bool,
    scale: Double = 0,
    _ function: (Double) -> (value: Double, slope: Double)
  ) -> Double? {
    var (low, high) = (low, high)
    var point = min(max(start, low), high)
    var (step, stepBefore) = (Double.infinity, Double.infinity)
    for _ in 0..<4000 {
      let (value, slope) = function(point)
      if value.isNaN { return nil }
      if value == 0 { return point }
      if (value < 0) == isIncreasing { low = point } else { high = point }
      let next = point - value / slope
      // Halved every other time, as by Brent 1973, chapter 4.
      guard next > low, next < high, abs(next - point) < max(stepBefore / 2, .leastNormalMagnitude) else {
        let middle = middle(low, high)
        if middle == low || middle == high { return point }
        (step, stepBefore) = (abs(middle - point), step)
        point = middle
        continue
      }
      (step, stepBefore) = (abs(next - point), step)
      // Newton squares the error: after a step this small the rest is rounding.
      let isSettled = abs(next - point) <= 1e-10 * max(abs(point), scale)
      point = next
      if isSettled { return point }
    }
    return nil
  }

  /// The middle of a bracket, on a scale that reaches from one end of `Double` to the other.
  private static func middle(_ low: Double, _ high: Double) -> Double {
    if low > 0, high / low > 4 { return low.squareRoot() * high.squareRoot() }
    if high < 0, low / high > 4 { return -(-low).squareRoot() * (-high).squareRoot() }
    return low + (high - low) / 2
  }
}
