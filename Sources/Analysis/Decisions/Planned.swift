import Jobs
import Statistics

/// `planned`: read every night up to an end that was planned, where most of the level is spent; a very clear difference is
/// called before it, and behind it.
struct Planned: DecisionRule {
  let name = DecisionVocabulary.planned
  let words = DecisionWords(
    meaning: "for a test with a `plan`: may be read every night, and finds most at its planned end",
    aside: "needs a planned end, and may be read every night", manner: "read every night up to a planned end",
    finding: "at the planned end; a very clear difference earlier", looks: "every night's",
    hold: "at every look of the plan, and however often you look behind it",
    reading: "may be read every night, once they no longer say too early. Other intervals and p-values are for a "
      + "single look.")
  let columns = DecisionColumn.figures(prefix: "plan", hold: "at every look of the plan")
  let marginColumns = [DecisionColumn.margin(prefix: "plan", hold: "at every look of the plan")]
  let unboundedLift = NotComputable(
    "unbounded_planned_lift",
    "the lift's interval at this look of the plan is unbounded: the baseline may be zero")

  func test(_ parameters: DecisionParameters) -> any DecidingTest {
    PlannedEnd(tuning: max(parameters.tuning, Double(parameters.plan?.users ?? 0)))
  }

  /// Of a test without a plan there is none, nor of one that is decided at a few looks.
  func outcome(of row: ComparisonRow, settings: AnalysisSettings) -> DecisionOutcome {
    guard settings.parameters.plan != nil, settings.parameters.looks == nil else {
      return DecisionOutcome(rule: name, isSaid: false)
    }
    return outcome(of: row, by: test(settings.parameters))
  }

  /// Four weeks, where a plan names users.
  static let usualNights = 28

  func looks(nights: Int, _ parameters: DecisionParameters) -> Int { parameters.plan?.nights ?? nights }
}
