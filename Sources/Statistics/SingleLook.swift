/// The test of a single look, at a time settled before: Student's t, and of ranks the binomial's.
public struct SingleLook: DecidingTest {
  /// It is.
  public let isForOneLook = true
  /// It does not: that is what t is for.
  public let treatsErrorAsKnown = false
  /// Half, for either side has one of its own.
  public let oneSidedShare = 0.5

  /// Makes the test.
  public init() {}

  /// t(1 − level/2).
  public func multiplier(level: Double, _ conditions: TestConditions) -> Double? {
    StudentT(degreesOfFreedom: conditions.degreesOfFreedom)?.upperQuantile(level / 2)
  }

  /// P(|T| ≥ |z|).
  public func pValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    StudentT(degreesOfFreedom: conditions.degreesOfFreedom)?.twoSided(z)
  }

  /// P(T ≥ z).
  public func upperPValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    StudentT(degreesOfFreedom: conditions.degreesOfFreedom)?.upper(z)
  }

  /// P(K ≥ k) of the binomial distribution (Conover 1999, section 3.2).
  public func rankTail(_ count: RankCount, _ conditions: TestConditions) -> Double {
    IncompleteBeta(a: count.k, b: count.n - count.k + 1, x: count.x, y: count.y).lower
  }
}
