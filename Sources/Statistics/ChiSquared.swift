import Foundation

/// The χ² distribution with any positive number of degrees of freedom.
public struct ChiSquared: Sendable, Hashable {
  /// The degrees of freedom.
  public let degreesOfFreedom: Double

  /// Makes the distribution; `nil` unless the degrees of freedom are positive, and at most 10¹².
  public init?(degreesOfFreedom: Double) {
    guard degreesOfFreedom > 0, degreesOfFreedom <= 1e12 else { return nil }
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The density at x; `nil` where it is infinite.
  public func pdf(_ x: Double) -> Double? {
    if x < 0 { return 0 }
    if x == 0 { return degreesOfFreedom > 2 ? 0 : degreesOfFreedom == 2 ? 0.5 : nil }
    return (exp(gamma(x).logKernel) / x).ifFinite
  }

  /// The probability P(½ν, ½x) of a value up to x.
  public func cdf(_ x: Double) -> Double? {
    gamma(x).lower.ifFinite
  }

  /// The probability Q(½ν, ½x) of a value beyond x, never formed as a difference.
  public func sf(_ x: Double) -> Double? {
    gamma(x).upper.ifFinite
  }

  /// The x up to which the probability is p; `nil` unless 0 < p < 1.
  public func quantile(_ p: Double) -> Double? {
    guard p > 0, p < 1 else { return nil }
    return p <= 0.5 ? solve(p, isUpper: false) : solve(1 - p, isUpper: true)
  }

  /// The x beyond which the probability is p; `nil` unless 0 < p < 1.
  public func upperQuantile(_ p: Double) -> Double? {
    guard p > 0, p < 1 else { return nil }
    return p <= 0.5 ? solve(p, isUpper: true) : solve(1 - p, isUpper: false)
  }

  private func gamma(_ x: Double) -> IncompleteGamma {
    IncompleteGamma(a: degreesOfFreedom / 2, x: x / 2)
  }

  /// Newton's steps on the logarithm of the tail against ln x, from Wilson and Hilferty's cube (1931).
  private func solve(_ p: Double, isUpper: Bool) -> Double? {
    let nu = degreesOfFreedom
    let z = (Normal.upperQuantile(p) ?? 0) * (isUpper ? 1 : -1)
    let cube = 1 - 2 / (9 * nu) + z * (2 / (9 * nu)).squareRoot()
    // Far below the mean, P(a, x) is x^a/Γ(a + 1).
    let power = (log(p) + Stirling.logGamma(nu / 2 + 1)) * 2 / nu + log(2.0)
    let start = cube > 0.3 ? log(nu * cube * cube * cube) : power
    let target = log(p)
    let root = Inversion.root(start: start, low: -745, high: 709, isIncreasing: !isUpper, scale: 1) { s in
      let part = gamma(exp(s))
      let tail = isUpper ? part.upper : part.lower
      let slope = exp(part.logKernel) / tail
      return (log(tail) - target, isUpper ? -slope : slope)
    }
    return root.flatMap { refined(exp($0), p, isUpper: isUpper).ifFinite }
  }

  private func refined(_ x: Double, _ p: Double, isUpper: Bool) -> Double {
    let part = gamma(x)
    let slope = exp(part.logKernel) / x
    let excess = isUpper ? part.upper - p : p - part.lower
    let next = x + excess / slope
    return next.isFinite && next > 0 ? next : x
  }
}
