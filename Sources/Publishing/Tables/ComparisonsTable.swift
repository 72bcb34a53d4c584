import Analysis
import Measurement

extension ResultTable {
  /// `comparisons.csv`: each group held against its offering's baseline, by metric and segment.
  static var comparisons: ResultTable {
    ResultTable(
      "comparisons", "Each group held against its offering's baseline, by metric and segment.", of: \.comparisons,
      columns: ComparisonColumns.all())
  }
}

extension Table {
  /// The table of comparisons that come from no run: `analyze` has no cut-off, and a job only where one lends its
  /// settings.
  static func comparisons(_ rows: [ComparisonRow], job: String?) -> Table {
    Table(ResultTable.comparisons.name, of: rows, columns: ComparisonColumns.all(), scope: TableScope(job: job))
  }
}

/// What is written of a comparison, in the columns of `comparisons.csv` and `daily.csv`.
enum ComparisonColumns {
  static func all(by rules: DecisionCatalog = .product) -> [TableColumn<ComparisonRow>] {
    [.job, .asOf] + subject + estimates(by: rules) + [decision] + robust + margins + columns(rules, \.marginColumns)
      + [descriptive]
  }

  /// What is compared with what: the rest of the key.
  static var subject: [TableColumn<ComparisonRow>] {
    [
      .offering(\.key.offering),
      .key("baseline_group_id", "the group it is held against", \.baseline),
      .group(\.key.group),
      .segment(\.key.segment),
      .metric(\.key.metric),
      .text("kind", "how the metric is averaged: proportion, mean, ratio, quantile or survival", \.kind.rawValue),
      .flag("primary", "it takes part in the verdict", \.primary),
      .text("goal", "increase or decrease: which way is better", \.goal.rawValue),
    ]
  }

  /// Everything that is computed from the sums of the two groups.
  static func estimates(by rules: DecisionCatalog = .product) -> [TableColumn<ComparisonRow>] {
    singleLook + columns(rules, \.columns) + decided + further
  }

  private static var singleLook: [TableColumn<ComparisonRow>] {
    [
      .real("baseline_value", "the baseline's value", \.baselineValue),
      .real("value", "the group's value", \.value),
      .real("abs_diff", "value less baseline_value, in the value's unit", \.difference),
      .real("abs_ci_low", "lower end of the difference's interval, for a single look", \.differenceInterval?.low),
      .real("abs_ci_high", "upper end of the difference's interval, for a single look", \.differenceInterval?.high),
      .real("rel_lift", "the difference as a part of the baseline's value: 0.1 is 10 % more", \.lift),
      .real("rel_ci_low", "lower end of the lift's interval, for a single look", \.liftInterval?.low),
      .real("rel_ci_high", "upper end of the lift's interval, for a single look", \.liftInterval?.high),
      .real("p_value", "two-sided p, for a single look", \.pValue),
      .real("p_value_adjusted", "the p that decides, adjusted for the comparisons made with it", \.adjustedPValue),
      .text(
        "test", "where p_value comes from: score, welch, fisher, boschloo, quantile, log_rank or mantel_haenszel",
        \.test),
    ]
  }

  /// A rule's own figures.
  private static func columns(
    _ rules: DecisionCatalog, _ own: (any DecisionRule) -> [DecisionColumn]
  ) -> [TableColumn<ComparisonRow>] {
    rules.all.flatMap { rule in
      own(rule).map { column in
        TableColumn.real(column.name, column.meaning) { [name = rule.name] in
          $0.outcome(by: name).flatMap(column.figure)
        }
      }
    }
  }

  /// What is shown beside the decision: the lift's interval by the test that decides, at its adjusted level.
  private static var decided: [TableColumn<ComparisonRow>] {
    [
      .real(
        "decided_ci_low",
        "lower end of the lift's interval that decides: it excludes 0 exactly when the decision says so",
        \.decidedLiftInterval?.low),
      .real(
        "decided_ci_high",
        "upper end of the lift's interval that decides: it excludes 0 exactly when the decision says so",
        \.decidedLiftInterval?.high),
    ]
  }

  private static var further: [TableColumn<ComparisonRow>] {
    [
      .real(
        "chance_to_win", "probability that the group is better by the metric's goal; not protected against many looks",
        \.chanceToWin),
      .real("expected_loss", "lift lost on average if the group is chosen and is no better", \.expectedLoss),
      .real("exact_p_value", "exact p of proportions with few counts", \.exactPValue),
      .real("mde_rel", "smallest lift that would be found with so many users, 80 times of 100", \.detectableLift),
      .real("cuped_theta", "θ of the covariate's adjustment", \.cupedTheta),
    ]
  }

  private static var decision: TableColumn<ComparisonRow> {
    .text(
      "decision",
      "better, worse, equivalent, inconclusive, too_early, do_not_trust; of guardrails not_worse, maybe_worse; of described metrics higher, lower",
      \.decisionWord)
  }

  /// Free of the bell curve.
  private static var robust: [TableColumn<ComparisonRow>] {
    [
      .real(
        "boot_abs_ci_low", "lower end of the difference's bootstrap interval (`robust: true`)",
        \.bootstrapDifferenceInterval?.low),
      .real(
        "boot_abs_ci_high", "upper end of the difference's bootstrap interval (`robust: true`)",
        \.bootstrapDifferenceInterval?.high),
      .real(
        "boot_rel_ci_low", "lower end of the lift's bootstrap interval (`robust: true`)", \.bootstrapLiftInterval?.low),
      .real(
        "boot_rel_ci_high", "upper end of the lift's bootstrap interval (`robust: true`)", \.bootstrapLiftInterval?.high
      ),
      .real("rank_p_value", "Mann and Whitney's two-sided p (`robust: true`)", \.rankPValue),
    ]
  }

  /// What a guardrail's decision rests on.
  private static var margins: [TableColumn<ComparisonRow>] {
    [
      .flag("guardrail", "it is watched, not hoped for", \.isGuardrail),
      .real("margin", "the lift that does not matter", \.margin),
      .real("margin_p_value", "one-sided p of being worse by the margin, for a single look", \.marginPValue),
    ]
  }

  private static var descriptive: TableColumn<ComparisonRow> {
    .flag("descriptive", "it is only described: higher and lower take the place of better and worse", \.isDescriptive)
  }
}

extension ComparisonRow {
  /// Of what is only described its direction, which is neither good nor bad.
  fileprivate var decisionWord: String {
    guard isDescriptive, decision == .better || decision == .worse else { return decision.rawValue }
    return (difference ?? 0) > 0 ? "higher" : "lower"
  }
}
