import Jobs
import Statistics

/// `group_sequential`: decided at a few looks that were planned, and not between them.
///
/// A bound below, which nobody is bound to, says where going on is of little use; after the last look, or one that ended the
/// test, the stage-wise figures say what was found without what choosing the moment adds.
struct GroupSequential: DecisionRule {
  let name = DecisionVocabulary.groupSequential
  let words = DecisionWords(
    meaning: "for a test with a `plan` and a few `looks`: decided at those and at the plan's end, and not between them",
    aside: "needs a plan and its looks", manner: "decided at a few planned looks",
    finding: "at the planned end; an earlier look may find it", looks: "every planned look's",
    hold: "at every planned look",
    reading: "hold at every planned look. Other intervals and p-values are for a single look.")
  let columns =
    DecisionColumn.figures(prefix: "look", hold: "at every planned look") + [
      DecisionColumn(
        "stage_p_value", "two-sided p if the test ends at this look, outcomes in the order of the looks", .probability,
        { $0.stage?.pValue }),
      DecisionColumn(
        "stage_abs_diff", "median-unbiased estimate of the difference if the test ends at this look", .difference,
        { $0.stage?.difference }),
      DecisionColumn("stage_abs_ci_low", "lower end of its interval", .difference, { $0.stage?.interval.low }),
      DecisionColumn("stage_abs_ci_high", "upper end of its interval", .difference, { $0.stage?.interval.high }),
    ]
  let marginColumns = [DecisionColumn.margin(prefix: "look", hold: "at every planned look")]
  let unboundedLift = NotComputable(
    "unbounded_look_lift",
    "the lift's interval at this look is unbounded: the baseline may be zero")

  func test(_ parameters: DecisionParameters) -> any DecidingTest { GroupLooks() }

  func isOffered(_ parameters: DecisionParameters) -> Bool { parameters.looks != nil }

  /// Of a test without looks there is none, nor between looks.
  func outcome(of row: ComparisonRow, settings: AnalysisSettings) -> DecisionOutcome {
    guard isOffered(settings.parameters) else { return DecisionOutcome(rule: name, isSaid: false) }
    var outcome = outcome(of: row, by: GroupLooks())
    outcome.isSaid = outcome.pValue != nil
    outcome.stage = row.comparison?.stageWise()
    return outcome
  }

  func looks(nights: Int, _ parameters: DecisionParameters) -> Int { parameters.looks?.shares.count ?? nights }

  /// The planned looks bring what their part of the plan does.
  func lastLook(nights: Int, _ parameters: DecisionParameters) -> Look {
    guard let schedule = parameters.looks else { return Look(number: nights, planned: nights) }
    return Look(schedule, number: schedule.shares.count)
  }

  func isFutile(_ row: ComparisonRow, _ parameters: DecisionParameters) -> Bool {
    guard let shares = parameters.looks?.shares else { return false }
    return row.comparison?.isFutile(isIncreaseBetter: row.goal == .increase, times: shares) ?? false
  }
}

extension Look {
  /// One of the planned looks, from 1, as the plan has them.
  init(_ schedule: LookSchedule, number: Int) {
    let points = schedule.shares.map { PlannedLooks.Point(time: $0, information: $0) }
    self.init(
      number: number, planned: points.count, of: .shared(points, spending: schedule.spending))
  }
}
