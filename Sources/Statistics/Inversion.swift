/// Finds where a monotone function takes the value zero.
enum Inversion {
  /// Newton's method kept inside a shrinking bracket; bisection wherever a step would leave it.
  ///
  /// - Parameters:
  ///   - start: the first guess, inside the bracket.
  ///   - low: where the function has one sign; may be `-greatestFiniteMagnitude`.
  ///   - high: where it has the other.
  ///   - isIncreasing: the function's direction.
  ///   - function: value and derivative at a point; a value that is not a number stops the search.
  static func root(
    start: Double,
    low: Double,
    high: Double,
    isIncreasing: Bool,
    _ function: (Double) -> (value: Double, slope: Double)
  ) -> Double? {
    var (low, high) = (low, high)
    var point = min(max(start, low), high)
    for _ in 0..<400 {
      let (value, slope) = function(point)
      if value.isNaN { return nil }
      if value == 0 { return point }
      if (value < 0) == isIncreasing { low = point } else { high = point }
      let step = value / slope
      var next = point - step
      if !(next > low && next < high) { next = middle(low, high) }
      let isSettled = abs(next - point) <= 2e-16 * abs(point) || next == low && next == high
      point = next
      if isSettled { return point }
    }
    return point
  }

  /// The middle of a bracket, on a scale that reaches from one end of `Double` to the other.
  private static func middle(_ low: Double, _ high: Double) -> Double {
    if low > 0, high / low > 4 { return low.squareRoot() * high.squareRoot() }
    if high < 0, low / high > 4 { return -(-low).squareRoot() * (-high).squareRoot() }
    return low + (high - low) / 2
  }
}
