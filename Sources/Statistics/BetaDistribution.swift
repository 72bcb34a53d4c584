import Foundation

/// The beta distribution, whose probabilities are the regularised incomplete beta function.
public struct BetaDistribution: Sendable, Hashable {
  /// The first shape.
  public let a: Double
  /// The second shape.
  public let b: Double

  /// Makes the distribution; `nil` unless both shapes are positive, and at most 10¹².
  public init?(a: Double, b: Double) {
    guard a > 0, b > 0, a <= 1e12, b <= 1e12 else { return nil }
    self.a = a
    self.b = b
  }

  /// The probability I_x(a, b) of a value up to x (DLMF 8.17.2).
  public func cdf(_ x: Double) -> Double? {
    if x.isNaN { return nil }
    return function(x).lower.ifFinite
  }

  /// The probability 1 − I_x(a, b) of a value beyond x, never formed as a difference.
  public func sf(_ x: Double) -> Double? {
    if x.isNaN { return nil }
    return function(x).upper.ifFinite
  }

  /// The density at x, inside (0, 1).
  public func pdf(_ x: Double) -> Double? {
    guard x > 0, x < 1 else { return x == 0 || x == 1 || x.isNaN ? nil : 0 }
    return (function(x).kernel / x / (1 - x)).ifFinite
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

  private func function(_ x: Double) -> IncompleteBeta {
    let x = min(max(x, 0), 1)
    return IncompleteBeta(a: a, b: b, x: DoubleDouble(x), y: DoubleDouble(sum: 1, -x))
  }

  /// Newton's steps on the logarithm of the tail against the logit of x, which reaches both ends alike.
  private func solve(_ p: Double, isUpper: Bool) -> Double? {
    let target = log(p)
    let mean = log(a) - log(b)
    let root = Inversion.root(start: mean, low: -745, high: 745, isIncreasing: !isUpper, scale: 1) { s in
      let part = functionAtLogit(s)
      let tail = isUpper ? part.upper : part.lower
      let slope = part.kernel / tail
      return (log(tail) - target, isUpper ? -slope : slope)
    }
    guard let root else { return nil }
    return refined(root > 0 ? 1 / (1 + exp(-root)) : exp(root) / (1 + exp(root)), p, isUpper: isUpper)
  }

  private func functionAtLogit(_ s: Double) -> IncompleteBeta {
    let odds = DoubleDouble(exp(-abs(s)))
    let whole = odds + DoubleDouble(1)
    let (small, large) = (odds / whole, DoubleDouble(1) / whole)
    return s < 0
      ? IncompleteBeta(a: a, b: b, x: small, y: large)
      : IncompleteBeta(a: a, b: b, x: large, y: small)
  }

  private func refined(_ x: Double, _ p: Double, isUpper: Bool) -> Double? {
    guard x > 0, x < 1 else { return x.ifFinite }
    let part = function(x)
    let slope = part.kernel / x / (1 - x)
    let excess = isUpper ? part.upper - p : p - part.lower
    let next = x + excess / slope
    return next > 0 && next < 1 ? next : x
  }
}
