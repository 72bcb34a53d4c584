import Foundation

/// The standard normal distribution; every function keeps its relative accuracy out to both tails.
public enum Normal {
  /// The z with Φ(z) = p; `nil` unless 0 < p < 1.
  public static func quantile(_ p: Double) -> Double? {
    upperQuantile(p).map { -$0 }
  }

  /// The z with 1 − Φ(z) = p; `nil` unless 0 < p < 1.
  public static func upperQuantile(_ p: Double) -> Double? {
    guard p > 0, p < 1 else { return nil }
    if p > 0.5 { return upperQuantile(tail: 1 - p, isMirrored: true) }
    return upperQuantile(tail: p, isMirrored: false)
  }

  /// The density φ(z) = e^(−z²/2)/√(2π).
  static func density(_ z: Double) -> Double {
    let square = DoubleDouble(product: z, z)
    return 0.398_942_280_401_432_677_94 * exp(-0.5 * square.high) * (1 - 0.5 * square.low)
  }

  /// The probability Φ(z) of a value up to z.
  static func lower(_ z: Double) -> Double {
    upper(-z)
  }

  /// The probability 1 − Φ(z) of a value beyond z, never formed as a difference: ½·erfc(z/√2), DLMF 7.2.2, mended for the rounding of z/√2.
  static func upper(_ z: Double) -> Double {
    if z.isInfinite { return z > 0 ? 0 : 1 }
    let scaled = DoubleDouble(product: z, 0.707_106_781_186_547_5)
    let rest = scaled.low + z * 4.833_646_656_726_456_5e-17
    return 0.5 * (erfc(scaled.high) - rest * 1.128_379_167_095_512_6 * exp(-scaled.high * scaled.high))
  }

  /// φ(z) − z·(1 − Φ(z)) = ∫_z^∞ (t − z)φ(t) dt without cancellation: the expected excess over z.
  ///
  /// For z ≥ 1 by the continued fraction of repeated integrals of erfc (DLMF 7.18.13).
  static func excess(_ z: Double) -> Double {
    guard z >= 1 else { return density(z) - z * upper(z) }
    var tail = z
    for k in stride(from: 400.0, through: 2, by: -1) { tail = z + k / tail }
    return upper(z) / tail
  }

  /// A first guess by Abramowitz & Stegun 26.2.23, then Halley's steps on the tail.
  private static func upperQuantile(tail p: Double, isMirrored: Bool) -> Double? {
    if p == 0 { return nil }
    let t = (-2 * log(p)).squareRoot()
    let top = (0.010_328 * t + 0.802_853) * t + 2.515_517
    let bottom = ((0.001_308 * t + 0.189_269) * t + 1.432_788) * t + 1
    var z = t - top / bottom
    for _ in 0..<4 {
      let excess = p > 0.25 ? (0.5 - p) - central(z) : upper(z) - p
      let step = excess / density(z)
      let correction = step / (1 - 0.5 * z * step)
      z += correction
      if abs(correction) <= 1e-15 * abs(z) { break }
    }
    return (isMirrored ? -z : z).ifFinite
  }

  /// Φ(z) − ½.
  private static func central(_ z: Double) -> Double {
    0.5 * erf(z * 0.707_106_781_186_547_5)
  }
}
