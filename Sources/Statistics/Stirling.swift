import Foundation

/// What Stirling's formula leaves over, and the deviances that go with it.
///
/// Densities of the gamma and beta families are written as a square root times the exponential of a
/// *deviance*, the way Loader (2000, "Fast and accurate computation of binomial probabilities") does, because
/// differences of log-gammas lose as many digits as their arguments have.
enum Stirling {
  /// ½·ln 2π.
  static let halfLogTwoPi = 0.918_938_533_204_672_741_78

  /// ln Γ(z) − [(z − ½)·ln z − z + ½·ln 2π], for z > 0.
  ///
  /// The asymptotic series (DLMF 5.11.1) from 16 on; below, the recurrence Γ(z + 1) = zΓ(z), by which one
  /// step adds (z + ½)·ln(1 + 1/z) − 1.
  static func error(_ z: Double) -> Double {
    var z = z
    var sum = 0.0
    while z < 16 {
      sum += stepError(z)
      z += 1
    }
    let w = 1 / (z * z)
    var series = -691.0 / 360_360
    series = series * w + 1.0 / 1_188
    series = series * w - 1.0 / 1_680
    series = series * w + 1.0 / 1_260
    series = series * w - 1.0 / 360
    series = series * w + 1.0 / 12
    return sum + series / z
  }

  /// (z + ½)·ln(1 + 1/z) − 1; for large z by ln(1 + 1/z) = 2·artanh(1/(2z + 1)), where it is a small number.
  private static func stepError(_ z: Double) -> Double {
    guard z > 1 else { return (z + 0.5) * log1p(1 / z) - 1 }
    let r = 1 / (2 * z + 1)
    return oddSeries(r * r)
  }

  /// Σ_{k≥1} q^k/(2k + 1), which is artanh(r)/r − 1 at q = r², for q ≤ 1/9.
  static func oddSeries(_ q: Double) -> Double {
    var (sum, power, k) = (0.0, q, 3.0)
    while power > 1e-18 * sum {
      sum += power / k
      power *= q
      k += 2
    }
    return sum
  }

  /// ln(1 + u) − u without cancellation, for u > −1.
  static func logOnePlusMinus(_ u: Double) -> Double {
    guard u > -0.5, u < 1 else { return log1p(u) - u }
    // ln(1 + u) = 2·artanh(r) with r = u/(2 + u), and u − 2r = u·r.
    let r = u / (2 + u)
    return 2 * r * oddSeries(r * r) - u * r
  }

  /// (1 + u)·ln(1 + u) − u without cancellation, for u ≥ −1: never negative.
  static func relativeEntropy(_ u: Double) -> Double {
    if u <= -1 { return 1 }
    if u < 1 { return u * u + (1 + u) * logOnePlusMinus(u) }
    return (1 + u) * log1p(u) - u
  }

  /// k·ln(k/m) + m − k, where `excess` = k − m is given apart because it may be known better than its terms.
  static func deviance(excess: Double, mean: Double) -> Double {
    guard mean > 0 else { return excess > 0 ? .infinity : 0 }
    let u = excess / mean
    if u < 1e100 { return mean * relativeEntropy(u) }
    let count = mean + excess
    return count * (log(count) - log(mean)) - excess
  }
}
