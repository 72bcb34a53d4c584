/// The test of a few looks that were planned beforehand: at each its bound, and between them nothing.
///
/// p is the level at which the look's bound is the statistic, and intervals are repeated ones: they hold at every look,
/// whether the test ends there or goes on (Jennison & Turnbull 1989, "Interim analyses: the repeated confidence interval
/// approach").
public struct GroupLooks: DecidingTest {
  /// It is for all of its looks.
  public let isForOneLook = false
  /// It does: bounds are those of normal statistics.
  public let treatsErrorAsKnown = true

  /// Makes the test: looks and spending are those of its conditions.
  public init() {}

  /// The look's bound.
  public func multiplier(level: Double, _ conditions: TestConditions) -> Double? {
    guard level < 1, let (looks, index) = conditions.look.inPlan else { return nil }
    return looks.bound(level: level, look: index, base: conditions.alpha).ifFinite
  }

  /// That of the repeated test.
  public func pValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    guard z.isFinite, let (looks, index) = conditions.look.inPlan else { return nil }
    return looks.pValue(statistic: z, look: index, base: conditions.alpha)
  }

  /// Half of the two-sided one, for half of the level is spent on each side.
  public func upperPValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    z > 0 ? pValue(statistic: z, conditions).map { $0 / 2 } : 1
  }

  /// That of the bound.
  public func nominalLevel(_ level: Double, _ conditions: TestConditions) -> Double {
    multiplier(level: level, conditions).map { 2 * Normal.upper($0) } ?? 0
  }

  /// That of the normal statistic that is as surprising.
  public func rankTail(_ count: RankCount, _ conditions: TestConditions) -> Double {
    normalRankTail(count, conditions)
  }
}

extension Comparison {
  /// Whether the statistic lies below the look's bound of futility; false where the night is no look, and at the last one.
  ///
  /// - Parameters:
  ///   - isIncreaseBetter: a difference above 0 is what one hopes for.
  ///   - times: the part of the plan that is over at each planned look; what is still to come brings as much as its part.
  public func isFutile(isIncreaseBetter: Bool, times: [Double]) -> Bool {
    guard let tested = tested as? any GroupDifference, let (looks, index) = options.look.inPlan,
      case let now = looks.points[index], now.information > 0, now.time > 0
    else { return false }
    let later = times.filter { $0 > now.time }
    guard !later.isEmpty else { return false }
    let points =
      Array(looks.points[...index]) + later.map { .init(time: $0, information: now.information * $0 / now.time) }
    let upper = PlannedLooks.shared(points, spending: looks.spending).bounds(level: options.alpha)
    guard let futility = Futility(points, upper: upper, spending: looks.spending) else { return false }
    return (isIncreaseBetter ? tested.statistic : -tested.statistic) < futility.bounds[index]
  }
}
