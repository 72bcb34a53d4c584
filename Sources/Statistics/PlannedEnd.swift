/// The test of a plan: read at every look up to a planned end, where most of the level is spent, and beside it and behind it
/// an always-valid test, so that no look is ever wrong.
///
/// Of the level nine tenths are the plan's (``PlannedLooks``) and one tenth the always-valid test's (``EveryLook``). A
/// difference is found where either finds it; p is the smaller of p_plan/0.9 and p_always/0.1 (Bonferroni).
public struct PlannedEnd: DecidingTest {
  /// It is for all of its looks.
  public let isForOneLook = false
  /// It does: bounds are those of normal statistics.
  public let treatsErrorAsKnown = true
  /// N* of the always-valid test.
  public let tuning: Double

  /// The plan's share of the level.
  public static let plannedShare = 0.9

  /// Makes the test.
  ///
  /// - Parameter tuning: N* of the always-valid test, the number of users at which its interval is tightest.
  public init(tuning: Double = 5000) {
    self.tuning = tuning
  }

  /// The smaller of both bounds.
  public func multiplier(level: Double, _ conditions: TestConditions) -> Double? {
    let always = always.multiplier(level: (1 - Self.plannedShare) * level, rest(conditions))
    guard level < 1, let (looks, index) = conditions.look.inPlan else { return always }
    let planned = looks.bound(level: Self.plannedShare * level, look: index, base: Self.plannedShare * conditions.alpha)
    return always.map { min($0, planned) } ?? planned.ifFinite
  }

  /// The smaller of both, each over its share.
  public func pValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    let always = always.pValue(statistic: z, rest(conditions)).map { min(1, $0 / (1 - Self.plannedShare)) }
    guard z.isFinite, let (looks, index) = conditions.look.inPlan else { return always }
    let planned = looks.pValue(statistic: z, look: index, base: Self.plannedShare * conditions.alpha)
    return min(always ?? 1, planned / Self.plannedShare)
  }

  /// Half of the two-sided one where the plan's looks find it, for half of the level is spent on each side.
  public func upperPValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    guard z > 0 else { return 1 }
    let always = always.pValue(statistic: z, rest(conditions)).map { min(1, $0 / (1 - Self.plannedShare)) }
    guard z.isFinite, let (looks, index) = conditions.look.inPlan else { return always }
    let planned = looks.pValue(statistic: z, look: index, base: Self.plannedShare * conditions.alpha)
    return min(always ?? 1, planned / Self.plannedShare / 2)
  }

  /// That of the bound, which lies farther out the earlier the look is; where the always-valid test decides its own level.
  public func nominalLevel(_ level: Double, _ conditions: TestConditions) -> Double {
    max(multiplier(level: level, conditions).map { 2 * Normal.upper($0) } ?? 0, (1 - Self.plannedShare) * level)
  }

  /// That of the normal statistic that is as surprising.
  public func rankTail(_ count: RankCount, _ conditions: TestConditions) -> Double {
    normalRankTail(count, conditions)
  }

  private var always: EveryLook { EveryLook(tuning: tuning) }

  /// The conditions of the always-valid test, which is laid out for its own share of the level.
  private func rest(_ conditions: TestConditions) -> TestConditions {
    var conditions = conditions
    conditions.alpha *= 1 - Self.plannedShare
    return conditions
  }
}
