import Foundation

/// The always-valid test, right at every look at once: ``SequentialTest``, laid out for the level that decides, and of
/// ranks the beta-binomial mixture.
public struct EveryLook: DecidingTest {
  /// It is for all.
  public let isForOneLook = false
  /// It does: a sequence of looks is asymptotic.
  public let treatsErrorAsKnown = true
  /// N*, the number of users at which the interval is tightest.
  public let tuning: Double

  /// Makes the test; where N* is not above zero nothing can be computed by it.
  public init(tuning: Double = 5000) {
    self.tuning = tuning
  }

  /// That of the confidence sequence.
  public func multiplier(level: Double, _ conditions: TestConditions) -> Double? {
    SequentialTest(alpha: conditions.alpha, tuning: tuning)?.multiplier(users: conditions.users, level: level)
  }

  /// That of the confidence sequence.
  public func pValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    SequentialTest(alpha: conditions.alpha, tuning: tuning)?.pValue(statistic: z, users: conditions.users)
  }

  /// That of the beta-binomial mixture of Howard & Ramdas 2022 ("Sequential estimation of quantiles with applications to
  /// A/B testing and best-arm identification").
  public func rankTail(_ count: RankCount, _ conditions: TestConditions) -> Double {
    // Tightest, about, at a tenth of N* users: those with a value to rank are few of all.
    let budget = -2 * log(conditions.alpha / 4)
    let spread = tuning / 10 * count.q * (1 - count.q) / (budget + log(1 + budget))
    // The mixture's distribution of the share is Beta(r/(1 − q), r/q), r the spread.
    let (x, y) = (count.x, count.y)
    let (a, b) = (spread / y.value, spread / x.value)
    let before = IncompleteBeta(a: a, b: b, x: x, y: y)
    let after = IncompleteBeta(a: count.k + a, b: count.n - count.k + b, x: x, y: y)
    let evidence = before.logKernel - after.logKernel + log(after.upper) - log(before.upper)
    return evidence > 0 ? exp(-evidence) : 1
  }
}
