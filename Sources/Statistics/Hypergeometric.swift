import Foundation

/// The hypergeometric distribution: successes in a sample of `drawn` out of `total` with `marked` successes.
public struct Hypergeometric: Sendable, Hashable {
  /// The size of the population.
  public let total: Double
  /// The successes in the population.
  public let marked: Double
  /// The size of the sample.
  public let drawn: Double

  /// Makes the distribution; `nil` unless 0 ≤ marked, drawn ≤ total.
  public init?(total: Int, marked: Int, drawn: Int) {
    guard marked >= 0, drawn >= 0, marked <= total, drawn <= total else { return nil }
    self.total = Double(total)
    self.marked = Double(marked)
    self.drawn = Double(drawn)
  }

  /// The smallest number of successes possible.
  var lowest: Double { max(0, drawn - (total - marked)) }

  /// The largest number of successes possible.
  var highest: Double { min(marked, drawn) }

  /// The likeliest number of successes.
  var mode: Double {
    let value = ((drawn + 1) / (total + 2) * (marked + 1)).rounded(.down)
    return min(max(value, lowest), highest)
  }

  /// The probability of exactly k successes, by three binomial masses (Loader 2000).
  func mass(_ k: Double) -> Double {
    if k < lowest || k > highest { return 0 }
    guard total > 0, drawn > 0, drawn < total else { return 1 }
    let share = DoubleDouble(drawn) / DoubleDouble(total)
    let rest = DoubleDouble(total - drawn) / DoubleDouble(total)
    let inMarked = Self.binomial(k, marked, share, rest)
    let inOthers = Self.binomial(drawn - k, total - marked, share, rest)
    return inMarked * inOthers / Self.binomial(drawn, total, share, rest)
  }

  /// mass(k + 1)/mass(k).
  func ratioUp(_ k: Double) -> Double {
    (marked - k) / (k + 1) * (drawn - k) / (total - marked - drawn + k + 1)
  }

  private static func binomial(_ k: Double, _ n: Double, _ p: DoubleDouble, _ q: DoubleDouble) -> Double {
    if k == 0 { return exp(n * (q.high < 0.5 ? log(q.value) : log1p(-p.value))) }
    if k == n { return exp(n * (p.high < 0.5 ? log(p.value) : log1p(-q.value))) }
    return IncompleteBeta(a: k, b: n - k, x: p, y: q).kernel * n / k / (n - k)
  }
}
