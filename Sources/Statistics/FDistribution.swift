import Foundation

/// Fisher and Snedecor's F distribution.
public struct FDistribution: Sendable, Hashable {
  /// The numerator's degrees of freedom.
  public let numerator: Double
  /// The denominator's degrees of freedom.
  public let denominator: Double

  /// Makes the distribution; `nil` unless both degrees of freedom are positive, and at most 10¹².
  public init?(numerator: Double, denominator: Double) {
    guard numerator > 0, denominator > 0, numerator <= 1e12, denominator <= 1e12 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The probability of a value up to f.
  public func cdf(_ f: Double) -> Double? {
    if f.isNaN { return nil }
    if f <= 0 { return 0 }
    return f.isInfinite ? 1 : beta(f).upper.ifFinite
  }

  /// The probability of a value beyond f, never formed as a difference.
  public func sf(_ f: Double) -> Double? {
    if f.isNaN { return nil }
    if f <= 0 { return 1 }
    return f.isInfinite ? 0 : beta(f).lower.ifFinite
  }

  /// The f beyond which the probability is p; `nil` unless 0 < p < 1.
  public func upperQuantile(_ p: Double) -> Double? {
    guard p > 0, p < 1 else { return nil }
    // On the log scale: ∂ ln f of the tail is the beta kernel.
    let isUpper = p <= 0.5
    let target = log(isUpper ? p : 1 - p)
    let root = Inversion.root(start: 0, low: -700, high: 700, isIncreasing: !isUpper, scale: 1) { s in
      let part = beta(exp(s))
      let tail = isUpper ? part.lower : part.upper
      let slope = part.kernel / tail
      return (log(tail) - target, isUpper ? -slope : slope)
    }
    return root.flatMap { exp($0).ifFinite }
  }

  /// The f up to which the probability is p; `nil` unless 0 < p < 1.
  public func quantile(_ p: Double) -> Double? {
    FDistribution(numerator: denominator, denominator: numerator)?.upperQuantile(p).flatMap {
      (1 / $0).ifFinite
    }
  }

  /// I_{d₂/(d₂ + d₁f)}(d₂/2, d₁/2) is the tail beyond f.
  private func beta(_ f: Double) -> IncompleteBeta {
    let part = DoubleDouble(product: numerator, f)
    let whole = part + DoubleDouble(denominator)
    let (x, y) = (DoubleDouble(denominator) / whole, part / whole)
    return IncompleteBeta(a: denominator / 2, b: numerator / 2, x: x, y: y)
  }
}
