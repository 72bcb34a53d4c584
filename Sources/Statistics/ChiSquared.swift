/// The χ² distribution with any positive number of degrees of freedom.
public struct ChiSquared: Sendable, Hashable {
  /// The degrees of freedom.
  public let degreesOfFreedom: Double

  /// Makes the distribution; `nil` unless the degrees of freedom are positive, and at most 10¹².
  public init?(degreesOfFreedom: Double) {
    guard degreesOfFreedom > 0, degreesOfFreedom <= 1e12 else { return nil }
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The probability Q(½ν, ½x) of a value beyond x, never formed as a difference.
  public func sf(_ x: Double) -> Double? {
    gamma(x).upper.ifFinite
  }

  private func gamma(_ x: Double) -> IncompleteGamma {
    IncompleteGamma(a: degreesOfFreedom / 2, x: x / 2)
  }
}
