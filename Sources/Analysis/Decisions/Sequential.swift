import Statistics

/// `sequential`: by the always-valid test, whose figures hold at every look at once.
struct Sequential: DecisionRule {
  let name = "sequential"
  let words = DecisionWords(
    meaning: "holds however often you look", aside: "may be read every night", manner: "read every night",
    finding: "by when the lift is found at the latest; a night before may find it", looks: "every night's",
    hold: "however often you look",
    reading: "may be read every night, once they no longer say too early. Other intervals and p-values are for a "
      + "single look.")
  let columns = DecisionColumn.figures(prefix: "seq", hold: "however often you look")
  let marginColumns = [DecisionColumn.margin(prefix: "seq", hold: "however often you look")]
  let unboundedLift = NotComputable(
    "unbounded_sequential_lift",
    "the lift's always-valid interval is unbounded: the baseline may be zero")

  func test(_ parameters: DecisionParameters) -> any DecidingTest { EveryLook(tuning: parameters.tuning) }
}
