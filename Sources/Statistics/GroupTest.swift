/// A test of two groups that can be asked at any level.
protocol GroupTest: Sendable {
  /// SE of the difference; `nil` where the test does not rest on one.
  var standardError: Double? { get }
  /// Of the test's t distribution; `nil` where it has none.
  var degreesOfFreedom: Double? { get }

  /// What the test comes to; `nil` where it cannot be computed.
  ///
  /// - Parameter level: that of its intervals.
  func outcome(_ test: any DecidingTest, level: Double, _ options: ComparisonOptions) -> TestOutcome?

  /// The one-sided p-value of "m_B is not above ρ·m_A", or not below it; `nil` where it cannot be computed.
  func oneSided(_ test: any DecidingTest, ratio rho: Double, isAbove: Bool, _ options: ComparisonOptions) -> Double?

  /// The smallest lift that the deciding test finds with the chosen power at so many users; `nil` where it cannot be said.
  func detectableLift(_ options: ComparisonOptions) -> Double?
}

/// What a test of two groups comes to: a p-value, and the intervals of the difference and of the lift that go with it.
public struct TestOutcome: Sendable {
  /// Two-sided.
  public var pValue: Double?
  /// Of d.
  public var absInterval: Interval?
  /// Of r; `nil` where it is unbounded.
  public var relInterval: Interval?
}
