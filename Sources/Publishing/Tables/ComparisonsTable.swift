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
      "boot_abs_ci_low", "lower end of the difference's bootstrap interval (`robust: true`)", in: .metric,
      \.bootstrapDifferenceInterval?.low),
    Real(
      "boot_abs_ci_high", "upper end of the difference's bootstrap interval (`robust: true`)", in: .metric,
      \.bootstrapDifferenceInterval?.high))
  let bootstrapLiftInterval = Bounds(
    Real(
      "boot_rel_ci_low", "lower end of the lift's bootstrap interval (`robust: true`)", in: .lift,
      \.bootstrapLiftInterval?.low),
    Real(
      "boot_rel_ci_high", "upper end of the lift's bootstrap interval (`robust: true`)", in: .lift,
      \.bootstrapLiftInterval?.high
    ))
  let rankPValue = Real(
    "rank_p_value", "Mann and Whitney's two-sided p (`robust: true`)", in: .probability, \.rankPValue)

  let shownOn = Text(
    "shown_on", "the UTC day whose end showed the decision first, by tonight's data; it stands since then", as: .date
  ) { $0.shownSince.map { CivilDate(endingAt: $0).description } }

  // Columns of ours: what a guardrail's decision rests on, and whether a metric is only described.
  let isGuardrail = Flag("guardrail", "it is watched, not hoped for", \.isGuardrail)
  let margin = Real("margin", "the lift that does not matter", in: .lift, \.margin)
  let marginPValue = Real(
    "margin_p_value", "one-sided p of being worse by the margin, for a single look", in: .probability, \.marginPValue)
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
  let baselineValue = Real("baseline_value", "the baseline's value", in: .metric, \.baselineValue)
  let value = Real("value", "the group's value", in: .metric, \.value)
  let difference = Real("abs_diff", "value less baseline_value, in the value's unit", in: .metric, \.difference)
  let differenceInterval = Bounds(
    Real(
      "abs_ci_low", "lower end of the difference's interval, for a single look", in: .metric, \.differenceInterval?.low),
    Real(
      "abs_ci_high", "upper end of the difference's interval, for a single look", in: .metric,
      \.differenceInterval?.high))
  let lift = Real("rel_lift", "the difference as a part of the baseline's value: 0.1 is 10 % more", in: .lift, \.lift)
  let liftInterval = Bounds(
    Real("rel_ci_low", "lower end of the lift's interval, for a single look", in: .lift, \.liftInterval?.low),
    Real("rel_ci_high", "upper end of the lift's interval, for a single look", in: .lift, \.liftInterval?.high))
  let pValue = Real("p_value", "two-sided p, for a single look", in: .probability, \.pValue)
  let adjustedPValue = Real(
    "p_value_adjusted", "the p that decides, adjusted for the comparisons made with it", in: .probability,
    \.adjustedPValue)
  let test = Text(
    "test", "where p_value comes from: score, welch, fisher, boschloo, quantile, log_rank or mantel_haenszel", \.test)

  /// Each rule's own figures, in the catalogue's order.
  let ruleFigures: Unread

  // What is shown beside the decision: the lift's interval by the test that decides, at its adjusted level.
  let decidedInterval = Bounds(
    Real(
      "decided_ci_low",
      "lower end of the lift's interval that decides: it excludes 0 exactly when the decision says so", in: .lift,
      \.decidedLiftInterval?.low),
    Real(
      "decided_ci_high",
      "upper end of the lift's interval that decides: it excludes 0 exactly when the decision says so", in: .lift,
      \.decidedLiftInterval?.high))

  // Further figures.
  let chanceToWin = Real(
    "chance_to_win", "probability that the group is better by the metric's goal; not protected against many looks",
    in: .probability,
    \.chanceToWin)
  let expectedLoss = Real(
    "expected_loss", "lift lost on average if the group is chosen and is no better", in: .lift, \.expectedLoss)
  let exactPValue = Real("exact_p_value", "exact p of proportions with few counts", in: .probability, \.exactPValue)
  let detectableLift = Real(
    "mde_rel", "smallest lift that would be found with so many users, 80 times of 100", in: .lift, \.detectableLift)
  let cupedTheta = Real("cuped_theta", "θ of the covariate's adjustment", in: .none, \.cupedTheta)

  init(by rules: DecisionCatalog = .product) { ruleFigures = Unread(of: rules, \.columns) }
}

extension TableColumn<ComparisonRow, Void> {
  /// The figures that rules add to comparisons.
  fileprivate init(of rules: DecisionCatalog, _ own: (any DecisionRule) -> [DecisionColumn]) {
    self.init(
      rules.all.flatMap { rule in
        own(rule).map { column in
          TableColumn<ComparisonRow, Double?>(column.name, column.meaning, in: column.quantity.unit) {
            [name = rule.name] in
            $0.outcome(by: name).flatMap(column.figure)
          }
        }
      })
  }
}

extension DecisionColumn.Quantity {
  fileprivate var unit: ColumnUnit {
    switch self {
    case .probability: .probability
    case .difference: .metric
    case .lift: .lift
    }
  }
}

extension ComparisonRow {
  /// Of what is only described its direction, which is neither good nor bad.
  fileprivate var decisionWord: String {
    guard isDescriptive, decision == .better || decision == .worse else { return decision.rawValue }
    return (difference ?? 0) > 0 ? "higher" : "lower"
  }
}
