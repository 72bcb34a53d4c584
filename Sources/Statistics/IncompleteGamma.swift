import Foundation

/// The regularised incomplete gamma function Q(a, x) = 1 − P(a, x), computed directly where it is small.
struct IncompleteGamma {
  let a: Double
  let x: Double

  /// Q(a, x); where it is above a half, the complement of P(a, x).
  var upper: Double {
    if x <= 0 { return 1 }
    if x == .infinity { return 0 }
    return x < a + 1 ? 1 - series : fraction
  }

  /// ln of x^a·e^−x/Γ(a), as deviance and Stirling's remainder.
  var logKernel: Double {
    let deviance = Stirling.deviance(excess: a - x, mean: x)
    return 0.5 * log(a) - Stirling.halfLogTwoPi - Stirling.error(a) - deviance
  }

  /// P(a, x): kernel·Σ xⁿ/(a(a + 1)…(a + n)), DLMF 8.11.4.
  private var series: Double {
    var (sum, term, n) = (1.0, 1.0, a)
    repeat {
      n += 1
      term *= x / n
      sum += term
    } while term > 1e-17 * sum
    return exp(logKernel) * sum / a
  }

  /// kernel divided by the continued fraction x + 1 − a − 1(1 − a)/(x + 3 − a − …), DLMF 8.9.2, by Lentz.
  private var fraction: Double {
    var beta = x - a + 1
    var (value, upper, lower) = (beta, beta, 0.0)
    var n = 0.0
    var factor = 0.0
    repeat {
      n += 1
      let alpha = n * (a - n)
      beta += 2
      lower = 1 / (beta + alpha * lower)
      upper = beta + alpha / upper
      factor = upper * lower
      value *= factor
    } while abs(factor - 1) > 2e-16 && n < 10_000_000
    return exp(logKernel) / value
  }
}
