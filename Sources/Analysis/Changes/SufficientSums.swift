import Statistics

/// What a metric's value is made of: users, and the sums of y and of x.
package struct SufficientSums: Sendable, Hashable {
  package var n: Int128 = 0
  package var y: Int128 = 0
  package var x: Int128 = 0

  package static let none = SufficientSums()

  package init(n: Int128 = 0, y: Int128 = 0, x: Int128 = 0) {
    (self.n, self.y, self.x) = (n, y, x)
  }

  package init(_ statistics: SufficientStatistics) {
    self.init(n: statistics.n, y: statistics.sumY, x: statistics.sumX)
  }

  package static func + (left: Self, right: Self) -> Self {
    Self(n: left.n &+ right.n, y: left.y &+ right.y, x: left.x &+ right.x)
  }

  package static func - (left: Self, right: Self) -> Self {
    Self(n: left.n &- right.n, y: left.y &- right.y, x: left.x &- right.x)
  }

  /// The value in millionths, rounded half to even; nil of nobody, and where it leaves 128 bits.
  ///
  /// - Parameter scale: how many of y's units make one of the value's, a divisor of 1,000,000.
  func valueMicros(_ kind: MetricKind, scale: Int128) -> Int128? {
    let denominator = denominator(kind)
    let (numerator, isTooLarge) = y.multipliedReportingOverflow(by: 1_000_000 / scale)
    guard denominator > 0, !isTooLarge else { return nil }
    let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    let open = denominator.magnitude - rest.magnitude
    guard rest.magnitude > open || rest.magnitude == open && quotient % 2 != 0 else { return quotient }
    return quotient + (numerator < 0 ? -1 : 1)
  }

  /// Σx of a ratio, else n.
  func denominator(_ kind: MetricKind) -> Int128 { kind == .ratio ? x : n }
}
