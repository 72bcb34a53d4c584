import Analysis
import Domain
import Measurement

/// `comparisons.csv`: each group held against its offering's baseline, by metric and segment.
@dynamicMemberLookup
struct ComparisonsTable: GroupTable {
  typealias Record = ComparisonRow
  let name = "comparisons"
  let meaning = "Each group held against its offering's baseline, by metric and segment."
  let records = Records<Record>.held(\.comparisons)

  let job = Text.job
  let asOf = Text.asOf
  let compared: ComparisonColumns
  let decision = Text(
    "decision",
    "better, worse, equivalent, inconclusive, too_early, do_not_trust; of guardrails not_worse, maybe_worse; of described metrics higher, lower",
    \.decisionWord)

  // Free of the bell curve.
  let bootstrapDifferenceInterval = Bounds(
    Real(
      "boot_abs_ci_low", "lower end of the difference's bootstrap interval (`robust: true`)",
      \.bootstrapDifferenceInterval?.low),
    Real(
      "boot_abs_ci_high", "upper end of the difference's bootstrap interval (`robust: true`)",
      \.bootstrapDifferenceInterval?.high))
  let bootstrapLiftInterval = Bounds(
    Real(
      "boot_rel_ci_low", "lower end of the lift's bootstrap interval (`robust: true`)", \.bootstrapLiftInterval?.low),
    Real(
      "boot_rel_ci_high", "upper end of the lift's bootstrap interval (`robust: true`)", \.bootstrapLiftInterval?.high
    ))
  let rankPValue = Real("rank_p_value", "Mann and Whitney's two-sided p (`robust: true`)", \.rankPValue)

  let shownOn = Text(
    "shown_on", "the UTC day whose end showed the decision first, by tonight's data; it stands since then", as: .date
  ) { $0.shownSince.map { CivilDate(endingAt: $0).description } }

  // Columns of ours: what a guardrail's decision rests on, and whether a metric is only described.
  let isGuardrail = Flag("guardrail", "it is watched, not hoped for", \.isGuardrail)
  let margin = Real("margin", "the lift that does not matter", \.margin)
  let marginPValue = Real(
    "margin_p_value", "one-sided p of being worse by the margin, for a single look", \.marginPValue)
  /// The same by each rule, in the catalogue's order.
  let ruleMargins: Unread
  let isDescriptive = Flag(
    "descriptive", "it is only described: higher and lower take the place of better and worse", \.isDescriptive)

  init(by rules: DecisionCatalog = .product) {
    compared = ComparisonColumns(by: rules)
    ruleMargins = Unread(of: rules, \.marginColumns)
  }

  var offering: Name { compared.offering }
  var group: Name { compared.group }

  subscript<Column>(dynamicMember column: KeyPath<ComparisonColumns, Column>) -> Column { compared[keyPath: column] }
}

/// What is written of a comparison, in the columns of `comparisons.csv` and `daily.csv`.
struct ComparisonColumns: ColumnSet {
  typealias Record = ComparisonRow

  // What is compared with what: the rest of the key.
  let offering = Name.offering(\.key.offering)
  let baseline = Name("baseline_group_id", "the group it is held against", isKey: true, \.baseline)
  let group = Name.group(\.key.group)
  let segment = Name.segment(\.key.segment)
  let metric = Name.metric(\.key.metric)
  let kind = Text("kind", "how the metric is averaged: proportion, mean, ratio, quantile or survival", \.kind.rawValue)
  let isPrimary = Flag("primary", "it takes part in the verdict", \.primary)
  let goal = Text("goal", "increase or decrease: which way is better", \.goal.rawValue)

  // For a single look.
  let baselineValue = Real("baseline_value", "the baseline's value", \.baselineValue)
  let value = Real("value", "the group's value", \.value)
  let difference = Real("abs_diff", "value less baseline_value, in the value's unit", \.difference)
  let differenceInterval = Bounds(
    Real("abs_ci_low", "lower end of the difference's interval, for a single look", \.differenceInterval?.low),
    Real("abs_ci_high", "upper end of the difference's interval, for a single look", \.differenceInterval?.high))
  let lift = Real("rel_lift", "the difference as a part of the baseline's value: 0.1 is 10 % more", \.lift)
  let liftInterval = Bounds(
    Real("rel_ci_low", "lower end of the lift's interval, for a single look", \.liftInterval?.low),
    Real("rel_ci_high", "upper end of the lift's interval, for a single look", \.liftInterval?.high))
  let pValue = Real("p_value", "two-sided p, for a single look", \.pValue)
  let adjustedPValue = Real(
    "p_value_adjusted", "the p that decides, adjusted for the comparisons made with it", \.adjustedPValue)
  let test = Text(
    "test", "where p_value comes from: score, welch, fisher, boschloo, quantile, log_rank or mantel_haenszel", \.test)

  /// Each rule's own figures, in the catalogue's order.
  let ruleFigures: Unread

  // What is shown beside the decision: the lift's interval by the test that decides, at its adjusted level.
  let decidedInterval = Bounds(
    Real(
      "decided_ci_low",
      "lower end of the lift's interval that decides: it excludes 0 exactly when the decision says so",
      \.decidedLiftInterval?.low),
    Real(
      "decided_ci_high",
      "upper end of the lift's interval that decides: it excludes 0 exactly when the decision says so",
      \.decidedLiftInterval?.high))

  // Further figures.
  let chanceToWin = Real(
    "chance_to_win", "probability that the group is better by the metric's goal; not protected against many looks",
    \.chanceToWin)
  let expectedLoss = Real(
    "expected_loss", "lift lost on average if the group is chosen and is no better", \.expectedLoss)
  let exactPValue = Real("exact_p_value", "exact p of proportions with few counts", \.exactPValue)
  let detectableLift = Real(
    "mde_rel", "smallest lift that would be found with so many users, 80 times of 100", \.detectableLift)
  let cupedTheta = Real("cuped_theta", "θ of the covariate's adjustment", \.cupedTheta)

  init(by rules: DecisionCatalog = .product) { ruleFigures = Unread(of: rules, \.columns) }
}

extension TableColumn<ComparisonRow, Void> {
  /// The figures that rules add to comparisons.
  fileprivate init(of rules: DecisionCatalog, _ own: (any DecisionRule) -> [DecisionColumn]) {
    self.init(
      rules.all.flatMap { rule in
        own(rule).map { column in
          TableColumn<ComparisonRow, Double?>(column.name, column.meaning) { [name = rule.name] in
            $0.outcome(by: name).flatMap(column.figure)
          }
        }
      })
  }
}

extension ComparisonRow {
  /// Of what is only described its direction, which is neither good nor bad.
  fileprivate var decisionWord: String {
    guard isDescriptive, decision == .better || decision == .worse else { return decision.rawValue }
    return (difference ?? 0) > 0 ? "higher" : "lower"
  }
}
