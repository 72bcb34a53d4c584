/// A test that two groups' difference is decided by, and at which looks it holds.
///
/// p < `level` and an interval at `level` without 0 must be one event.
public protocol DecidingTest: Sendable {
  /// It holds for a single look, and at none beside.
  var isForOneLook: Bool { get }
  /// It takes a standard error for known, however few degrees of freedom that has.
  var treatsErrorAsKnown: Bool { get }
  /// The one-sided p-value of ranks as a part of their two-sided one; 1 where one-sided is not less than two-sided.
  var oneSidedShare: Double { get }

  /// c, the half-width in standard errors of the interval at 1 − `level`; `nil` where it cannot be said.
  func multiplier(level: Double, _ conditions: TestConditions) -> Double?
  /// The two-sided p-value of d/SE.
  func pValue(statistic z: Double, _ conditions: TestConditions) -> Double?
  /// The p-value of "not above 0" for a statistic in standard errors.
  func upperPValue(statistic z: Double, _ conditions: TestConditions) -> Double?
  /// The two-sided p-value that a single normal statistic has at the bound of a level: how far out in the tail it decides.
  func nominalLevel(_ level: Double, _ conditions: TestConditions) -> Double
  /// How surprising a count of ranks is: the p-value of so many or more.
  func rankTail(_ count: RankCount, _ conditions: TestConditions) -> Double
}

extension DecidingTest {
  /// That of the two-sided test.
  public var oneSidedShare: Double { 1 }

  /// The level itself.
  public func nominalLevel(_ level: Double, _ conditions: TestConditions) -> Double { level }

  /// That of a binomial count, as a statistic of the normal distribution that is as surprising.
  func normalRankTail(_ count: RankCount, _ conditions: TestConditions) -> Double {
    let tail = SingleLook().rankTail(count, conditions)
    guard tail < 0.5 else { return 1 }
    return (Normal.upperQuantile(tail).flatMap { pValue(statistic: $0, conditions) } ?? 0) / 2
  }

  /// That of the two-sided test, and 1 on the other side: conservative.
  public func upperPValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    z > 0 ? pValue(statistic: z, conditions) : 1
  }
}

/// What a deciding test has to know of a comparison beside its statistic.
public struct TestConditions: Sendable {
  /// The level that decisions are taken at, for which a test may be laid out.
  public var alpha: Double
  /// N, the users of both groups.
  public var users: Double
  /// Those of the standard error; infinite where it counts as known.
  public var degreesOfFreedom: Double
  /// Which look it is.
  public var look: Look

  /// Gathers them.
  public init(alpha: Double, users: Double, degreesOfFreedom: Double = .infinity, look: Look = Look()) {
    self.alpha = alpha
    self.users = users
    self.degreesOfFreedom = degreesOfFreedom
    self.look = look
  }
}

/// So many of a sample that lie on one side of its population's quantile.
public struct RankCount: Sendable {
  /// The quantile's share.
  let q: Double
  /// How many lie there, above 0.
  let k: Double
  /// Of how many.
  let n: Double
  /// The share of the population that lies there.
  let x: DoubleDouble
  /// 1 − x.
  let y: DoubleDouble

  /// - Parameter isBelow: they lie at or below the quantile.
  init(_ k: Int, of n: Int, quantile q: Double, isBelow: Bool) {
    (self.q, self.k, self.n) = (q, Double(k), Double(n))
    let (below, above) = (DoubleDouble(q), DoubleDouble(sum: 1, -q))
    (x, y) = isBelow ? (below, above) : (above, below)
  }
}
