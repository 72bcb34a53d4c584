import Foundation

/// The regularised incomplete gamma functions P(a, x) and Q(a, x), each computed directly where small.
struct IncompleteGamma {
  let a: Double
  let x: Double

  /// P(a, x).
  var lower: Double { tails.lower }

  /// Q(a, x) = 1 − P(a, x).
  var upper: Double { tails.upper }

  /// Both tails. The smaller one is accurate to the last digits; the larger is its complement.
  var tails: (lower: Double, upper: Double) {
    if x <= 0 { return (0, 1) }
    if x == .infinity { return (1, 0) }
    if x < a + 1 {
      let value = series
      return (value, 1 - value)
    }
    let value = fraction
    return (1 - value, value)
  }

  /// ln of x^a·e^−x/Γ(a), as deviance and Stirling's remainder.
  var logKernel: Double {
    let deviance = Stirling.deviance(excess: a - x, mean: x)
    return 0.5 * log(a) - Stirling.halfLogTwoPi - Stirling.error(a) - deviance
  }

  /// kernel·Σ xⁿ/(a(a + 1)…(a + n)), DLMF 8.11.4.
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
