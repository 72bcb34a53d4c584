import Foundation

/// Student's t distribution with any positive number of degrees of freedom, whole or not.
public struct StudentT: Sendable, Hashable {
  /// The degrees of freedom ν; infinite stands for the normal distribution.
  public let degreesOfFreedom: Double

  /// Makes the distribution; `nil` unless the degrees of freedom are positive.
  public init?(degreesOfFreedom: Double) {
    guard degreesOfFreedom > 0 else { return nil }
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Beyond this the normal distribution is the same to sixteen digits, even at t = 37.
  private var isNormal: Bool { degreesOfFreedom > 1e18 }

  /// The probability of a value beyond t, never formed as a difference.
  public func sf(_ t: Double) -> Double? {
    upper(t).ifFinite
  }

  /// The probability of a value at least as far from zero as t: the two-sided p-value.
  public func twoSided(_ t: Double) -> Double? {
    min(1, 2 * upper(abs(t))).ifFinite
  }

  /// The t beyond which the probability is p; `nil` unless 0 < p < 1.
  public func upperQuantile(_ p: Double) -> Double? {
    guard p > 0, p < 1 else { return nil }
    if isNormal { return Normal.upperQuantile(p) }
    if p == 0.5 { return 0 }
    if p > 0.5 { return positiveQuantile(1 - p).map { -$0 } }
    return positiveQuantile(p)
  }

  /// The density at t.
  func density(_ t: Double) -> Double {
    if isNormal { return Normal.density(t) }
    return t.isInfinite ? 0 : 0.398_942_280_401_432_677_94 * exp(logShape(t))
  }

  /// ln of √(2π) times the density (1 + t²/ν)^(−(ν + 1)/2)/(√ν·B(½, ν/2)).
  private func logShape(_ t: Double) -> Double {
    let nu = degreesOfFreedom
    let ratio = abs(t) > 1e140 ? 2 * log(abs(t)) - log(nu) : log1p(t / nu * t)
    return logConstant - (nu + 1) / 2 * ratio
  }

  /// ln of Γ((ν + 1)/2)/(Γ(ν/2)·√(ν/2)), as Stirling's remainders and (1 + 1/ν)^(ν/2)·e^(−½).
  private var logConstant: Double {
    let nu = degreesOfFreedom
    let remainder = Stirling.error((nu + 1) / 2) - Stirling.error(nu / 2)
    return remainder + (nu > 1 ? nu / 2 * Stirling.logOnePlusMinus(1 / nu) : nu / 2 * log1p(1 / nu) - 0.5)
  }

  /// ln C of the law C·t^−ν that the tail follows far out.
  private var logPowerLaw: Double {
    let nu = degreesOfFreedom
    return logConstant - Stirling.halfLogTwoPi + (nu - 1) / 2 * log(nu)
  }

  func upper(_ t: Double) -> Double {
    if isNormal || t.isNaN { return Normal.upper(t) }
    if t > 1e140 { return exp(logPowerLaw - degreesOfFreedom * log(t)) }
    return t >= 0 ? 0.5 * beta(t).lower : 0.5 + 0.5 * beta(-t).upper
  }

  /// I_{ν/(ν + t²)}(ν/2, ½) is the probability outside ±t (DLMF 8.17).
  private func beta(_ t: Double) -> IncompleteBeta {
    let nu = DoubleDouble(degreesOfFreedom)
    let square = DoubleDouble(product: min(t, 1e140), min(t, 1e140))
    let total = nu + square
    return IncompleteBeta(a: degreesOfFreedom / 2, b: 0.5, x: nu / total, y: square / total)
  }

  /// The t > 0 with upper tail p < ½.
  private func positiveQuantile(_ p: Double) -> Double? {
    let start = firstGuess(p)
    let limit = Double.greatestFiniteMagnitude
    if p > 0.25 {
      return Inversion.root(start: start, low: 0, high: limit, isIncreasing: true) { t in
        (0.5 * beta(t).upper - (0.5 - p), density(t))
      }
    }
    // On the scale of logarithms the tail is nearly straight, however heavy it is.
    let target = log(p)
    guard logPowerLaw - degreesOfFreedom * 709.7 < target || degreesOfFreedom > 2 else { return nil }
    let root = Inversion.root(start: log(start), low: -10, high: 709.7, isIncreasing: false, scale: 1) { s in
      let t = exp(s)
      let tail = upper(t)
      return (log(tail) - target, -density(t) * t / tail)
    }
    return root.flatMap { refined(exp($0), p).ifFinite }
  }

  /// One Newton step on t itself: the logarithm has cost the last digits.
  private func refined(_ t: Double, _ p: Double) -> Double {
    let (tail, density) = (upper(t), density(t))
    guard density > 0, tail > 0 else { return t }
    let next = t + (tail - p) / density
    return next.isFinite && next > 0 ? next : t
  }

  /// The normal quantile bent by the first terms of Cornish and Fisher (Abramowitz & Stegun 26.7.5), or for
  /// few degrees of freedom the power law of the tail.
  private func firstGuess(_ p: Double) -> Double {
    let nu = degreesOfFreedom
    let z = Normal.upperQuantile(p) ?? 1
    let bend = (z * z * z + z) / (4 * nu)
    if bend < 0.5 * z { return max(z + bend + ((5 * z * z + 16) * z * z + 3) * z / (96 * nu * nu), 1e-300) }
    return exp(min(max((logPowerLaw - log(p)) / nu, -2), 700))
  }
}
