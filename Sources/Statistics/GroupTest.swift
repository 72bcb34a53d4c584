/// A test of two groups that can be asked at any level.
protocol GroupTest: Sendable {
  /// SE of the difference; `nil` where the test does not rest on one.
  var standardError: Double? { get }
  /// Of the test's t distribution; `nil` where it has none.
  var degreesOfFreedom: Double? { get }

  /// What the test comes to; `nil` where it cannot be computed.
  ///
  /// - Parameters:
  ///   - test: read once, or at every look.
  ///   - level: the level of its intervals.
  func outcome(_ test: DecidingTest, level: Double, _ options: ComparisonOptions) -> TestOutcome?

  /// The one-sided p-values of "m_B is not above ρ·m_A", or not below it; `nil` where they cannot be computed. The
  /// always-valid one is that of the two-sided sequence, and 1 on the other side: conservative.
  func oneSided(ratio rho: Double, isAbove: Bool, _ options: ComparisonOptions) -> (fixed: Double, sequential: Double?)?

  /// The smallest lift that the deciding test finds with the chosen power at so many users; `nil` where it cannot be said.
  func detectableLift(_ options: ComparisonOptions) -> Double?
}

/// What a test of two groups comes to: a p-value, and the intervals of the difference and of the lift that go with it.
struct TestOutcome: Sendable {
  var pValue: Double?
  var absInterval: Interval?
  var relInterval: Interval?
}
