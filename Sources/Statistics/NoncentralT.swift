import Foundation

/// The noncentral t distribution: (Z + δ)/√(χ²_ν/ν).
///
/// Its tail is ∫ Q(t·u − δ)·f(u) du over u = √(χ²_ν/ν), whose integrand is positive and falls off double
/// exponentially in ln u, so that the trapezoidal rule converges geometrically (Trefethen & Weideman 2014)
/// and no term cancels, at any ν and δ.
public struct NoncentralT: Sendable, Hashable {
  /// The degrees of freedom ν; infinite stands for the normal distribution around δ.
  public let degreesOfFreedom: Double
  /// The noncentrality δ.
  public let noncentrality: Double

  /// Makes the distribution; `nil` unless ν is positive and δ finite.
  public init?(degreesOfFreedom: Double, noncentrality: Double) {
    guard degreesOfFreedom > 0, noncentrality.isFinite else { return nil }
    self.degreesOfFreedom = degreesOfFreedom
    self.noncentrality = noncentrality
  }

  /// The probability of a value up to t.
  public func cdf(_ t: Double) -> Double? {
    if t.isInfinite { return t > 0 ? 1 : 0 }
    return integral { SIMD2(Normal.lower(t * $0 - noncentrality), 0) }.x.ifFinite
  }

  /// The probability of a value beyond t, never formed as a difference.
  public func sf(_ t: Double) -> Double? {
    if t.isInfinite { return t > 0 ? 0 : 1 }
    return integral { SIMD2(Normal.upper(t * $0 - noncentrality), 0) }.x.ifFinite
  }

  /// The probability of a value beyond ±t and its derivative by the noncentrality, in one pass.
  func outside(_ t: Double) -> (probability: Double, slope: Double) {
    let both = integral { u in
      let (near, far) = (t * u - noncentrality, t * u + noncentrality)
      return SIMD2(Normal.upper(near) + Normal.upper(far), Normal.density(near) - Normal.density(far))
    }
    return (both.x, both.y)
  }

  /// ∫ g(u)·f(u) du by the trapezoidal rule in s = ln u, in steps fine enough for both factors.
  private func integral(_ g: (Double) -> SIMD2<Double>) -> SIMD2<Double> {
    let nu = degreesOfFreedom
    if nu > 1e17 { return g(1) }
    // The chi's width in s is 1/√(2ν), the normal factor's 1/|δ|, or again 1/√(2ν) where its tail is cut.
    let step = 0.35 / (4 * nu + noncentrality * noncentrality + 9).squareRoot()
    // ln of u·f(u): ν·s − ν(e^{2s} − 1)/2, and its value at s = 0.
    let constant = Stirling.peak(nu)
    func term(_ s: Double) -> SIMD2<Double> {
      g(exp(s)) * exp(constant + nu * (s - 0.5 * expm1(2 * s)))
    }
    return step * (sum(from: 0, by: step, term) + sum(from: -step, by: -step, term))
  }

  /// Adds terms in one direction until the integrand has passed its peak and nothing more comes.
  private func sum(
    from start: Double,
    by step: Double,
    _ term: (Double) -> SIMD2<Double>
  ) -> SIMD2<Double> {
    var (total, s, silent) = (SIMD2<Double>.zero, start, 0)
    // Forty-five standard deviations, and the exponential tail of few degrees of freedom to 10⁻³⁰⁰.
    let limit = 45 / (2 * degreesOfFreedom).squareRoot() + 750 / degreesOfFreedom
    while abs(s) < limit, abs(s) < 100_000 * abs(step) {
      let value = term(s)
      total += value
      silent = value.x <= 1e-18 * total.x && abs(value.y) <= 1e-18 * abs(total.y) ? silent + 1 : 0
      if silent > 3, total.x > 0 { break }
      s += step
    }
    return total
  }
}

extension Stirling {
  /// ln of 2(ν/2)^(ν/2)·e^(−ν/2)/Γ(ν/2): the density of ln u at 0, for u = √(χ²_ν/ν).
  fileprivate static func peak(_ nu: Double) -> Double {
    log(2.0) + 0.5 * log(nu / 2) - halfLogTwoPi - error(nu / 2)
  }
}
