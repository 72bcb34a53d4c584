import Foundation

/// The regularised incomplete beta function I_x(a, b) and its complement, each computed directly where small.
///
/// The argument comes as the pair (x, y = 1 − x) in doubled precision: with b = 10⁹ an error of 10⁻¹⁶ in y
/// would already cost seven digits.
struct IncompleteBeta {
  let a: Double
  let b: Double
  let x: DoubleDouble
  let y: DoubleDouble

  /// I_x(a, b).
  var lower: Double { tails.lower }

  /// 1 − I_x(a, b).
  var upper: Double { tails.upper }

  /// Both tails. The smaller one is accurate to the last digits; the larger is its complement.
  var tails: (lower: Double, upper: Double) {
    if x.high <= 0 { return (0, 1) }
    if y.high <= 0 { return (1, 0) }
    let distance = distanceFromMean
    let mirrored = IncompleteBeta(a: b, b: a, x: y, y: x)
    if canUseSeries {
      let value = series
      return (value, 1 - value)
    }
    if mirrored.canUseSeries {
      let value = mirrored.series
      return (1 - value, value)
    }
    if distance >= 0 {
      let value = fraction(distance)
      return (value, 1 - value)
    }
    let value = mirrored.fraction(-distance)
    return (1 - value, value)
  }

  /// a − (a + b)·x = a·y − b·x.
  private var distanceFromMean: Double {
    (DoubleDouble(a) * y - DoubleDouble(b) * x).value
  }

  /// ln of x^a·y^b/B(a, b), as deviance and Stirling's remainders.
  var logKernel: Double {
    let distance = distanceFromMean
    let n = DoubleDouble(sum: a, b)
    let deviance =
      Stirling.deviance(excess: distance, mean: (n * x).value)
      + Stirling.deviance(excess: -distance, mean: (n * y).value)
    let remainder = Stirling.error(n.high) - Stirling.error(a) - Stirling.error(b)
    return 0.5 * (log(a) + log(b) - log(n.high)) - Stirling.halfLogTwoPi + remainder - deviance
  }

  /// x^a·y^b/B(a, b).
  var kernel: Double {
    exp(logKernel)
  }

  /// Whether the power series neither cancels nor crawls.
  private var canUseSeries: Bool {
    x.high <= 0.7 && (b * x.high <= 0.7 || b <= 1)
  }

  /// x^a/(a·B(a, b))·[1 + a·Σ (1 − b)(2 − b)…(n − b)/(n!·(a + n))·xⁿ], the series of DLMF 8.17.7.
  private var series: Double {
    let point = x.value
    var (sum, term, n) = (0.0, 1.0, 0.0)
    repeat {
      n += 1
      term *= (n - b) / n * point
      sum += term / (a + n)
    } while abs(term) > 1e-18 * (1 / a + abs(sum)) * a && n < 10_000
    let power = exp(logKernel - b * logOfY)
    return power * (1 / a + sum)
  }

  /// ln y, accurate both near 0 and near 1.
  private var logOfY: Double {
    x.high < 0.5 ? log1p(-x.value) : log(y.value)
  }

  /// kernel · continued fraction, for x below the mean a/(a + b) (`distance` ≥ 0): the even part of DLMF
  /// 8.17.22, whose elements are positive (DiDonato & Morris 1992, eq. 9 of "Significant digit computation of
  /// the incomplete beta function ratios"), evaluated forwards by Lentz's method.
  private func fraction(_ distance: Double) -> Double {
    let (x, y) = (x.value, y.value)
    var value = a / (a + 1) * (distance + 1)
    var (upper, lower) = (value, 0.0)
    var n = 0.0
    var factor = 0.0
    repeat {
      n += 1
      let m = a + 2 * n - 1
      let shared = n * (b - n) * x / m
      let alpha = (a + n - 1) / m * (a + b + n - 1) * shared * x
      let beta = n + shared + (a + n) / (m + 2) * (distance + 1 + n * (1 + y))
      lower = 1 / (beta + alpha * lower)
      upper = beta + alpha / upper
      factor = upper * lower
      value *= factor
    } while abs(factor - 1) > 2e-16 && n < 10_000_000
    return kernel / value
  }
}
