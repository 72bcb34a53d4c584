import Statistics

@testable import Analysis

/// A rule that the product does not have: α is shared out among the looks planned (Bonferroni), two where nobody says.
/// Beyond them there is nothing to read.
struct PlannedLooks: DecisionRule {
  let name = "planned_looks"
  let words = DecisionWords(
    meaning: "for looks that are counted beforehand", aside: "read as often as planned", manner: "read as planned",
    looks: "every planned look's", hold: "at each of the looks planned",
    reading: "hold at each of the looks planned.")
  let columns = DecisionColumn.figures(prefix: "planned", hold: "at each of the looks planned")
  let marginColumns = [DecisionColumn.margin(prefix: "planned", hold: "at each of the looks planned")]
  let unboundedLift = NotComputable("unbounded_planned_lift", "the lift's interval at the looks planned is unbounded")

  static let rules = DecisionCatalog(usual: Sequential(), Fixed(), PlannedLooks())

  func test(_ parameters: DecisionParameters) -> any DecidingTest { SharedLooks() }

  func plan(alpha: Double, power: Double, ratio: Double, _ parameters: DecisionParameters) -> Power {
    Power(alpha: alpha, power: power, ratio: ratio, test: SharedLooks(), look: Look(number: 5, planned: 5))
  }

  func looks(nights: Int, _ parameters: DecisionParameters) -> Int { min(5, nights) }
}

/// Student's t at an equal share of α for each look planned.
private struct SharedLooks: DecidingTest {
  let isForOneLook = false
  let treatsErrorAsKnown = false

  /// How many looks share α; nil after the last of them.
  private func looks(_ conditions: TestConditions) -> Double? {
    let planned = conditions.look.planned ?? 2
    return conditions.look.number <= planned ? Double(planned) : nil
  }

  func multiplier(level: Double, _ conditions: TestConditions) -> Double? {
    looks(conditions).flatMap { SingleLook().multiplier(level: level / $0, conditions) }
  }

  func pValue(statistic z: Double, _ conditions: TestConditions) -> Double? {
    looks(conditions).flatMap { looks in
      SingleLook().pValue(statistic: z, conditions).map { min(1, $0 * looks) }
    }
  }

  func rankTail(_ count: RankCount, _ conditions: TestConditions) -> Double {
    min(1, SingleLook().rankTail(count, conditions) * (looks(conditions) ?? .infinity))
  }
}
