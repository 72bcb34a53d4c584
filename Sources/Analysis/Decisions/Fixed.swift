import Statistics

/// `fixed`: by the figures of a single look, which every comparison has, an exact test's and the log-rank test's among
/// them.
struct Fixed: DecisionRule {
  let name = "fixed"
  let words = DecisionWords(
    meaning: "for a test that is read once, at a time settled before", manner: "read once",
    hold: "at the one look planned",
    reading: "hold for a single look, at the end planned beforehand.")
  let columns: [DecisionColumn] = []
  let marginColumns: [DecisionColumn] = []
  let unboundedLift = NotComputable.unboundedLift

  func test(_ parameters: DecisionParameters) -> any DecidingTest { SingleLook() }

  func outcome(of row: ComparisonRow, settings: AnalysisSettings) -> DecisionOutcome {
    DecisionOutcome(
      rule: name, pValue: row.pValue, differenceInterval: row.differenceInterval, liftInterval: row.liftInterval,
      marginPValue: row.marginPValue,
      harmPValue: row.isGuardrail ? row.comparison.flatMap { NonInferiority.harm(of: $0) } : nil)
  }
}
