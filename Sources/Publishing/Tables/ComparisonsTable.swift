import Analysis
import Engine

extension ResultTable {
  /// `comparisons.csv`: each group held against its offering's baseline, by metric and segment.
  static var comparisons: ResultTable {
    ResultTable("comparisons", of: \.comparisons, columns: ComparisonColumns.all)
  }
}

extension Table {
  /// The table of comparisons that come from no run: `analyze` has no cut-off, and a job only where one lends its
  /// settings.
  static func comparisons(_ rows: [ComparisonRow], job: String?) -> Table {
    Table(ResultTable.comparisons.name, of: rows, columns: ComparisonColumns.all, scope: TableScope(job: job))
  }
}

/// What is written of a comparison, in the columns of `comparisons.csv` and `daily.csv`.
enum ComparisonColumns {
  static var all: [TableColumn<ComparisonRow>] {
    [.job, .asOf] + subject + estimates + [decision] + robust + margins
  }

  /// What is compared with what: the rest of the key.
  static var subject: [TableColumn<ComparisonRow>] {
    [
      .key("offering_id", \.key.offering),
      .key("baseline_group_id", \.baseline),
      .key("test_group_id", \.key.group),
      .key("segment", \.key.segment),
      .key("metric", \.key.metric),
      .text("kind", \.kind.rawValue),
      .flag("primary", \.primary),
      .text("goal", \.goal.rawValue),
    ]
  }

  /// Everything that is computed from the sums of the two groups.
  static var estimates: [TableColumn<ComparisonRow>] { fixed + sequential + decided + further }

  /// For a single look.
  private static var fixed: [TableColumn<ComparisonRow>] {
    [
      .real("baseline_value", \.baselineValue),
      .real("value", \.value),
      .real("abs_diff", \.difference),
      .real("abs_ci_low", \.differenceInterval?.low),
      .real("abs_ci_high", \.differenceInterval?.high),
      .real("rel_lift", \.lift),
      .real("rel_ci_low", \.liftInterval?.low),
      .real("rel_ci_high", \.liftInterval?.high),
      .real("p_value", \.pValue),
      .real("p_value_adjusted", \.adjustedPValue),
      .text("test", \.test),
    ]
  }

  /// Valid at every look.
  private static var sequential: [TableColumn<ComparisonRow>] {
    [
      .real("seq_p_value", \.sequentialPValue),
      .real("seq_abs_ci_low", \.sequentialDifferenceInterval?.low),
      .real("seq_abs_ci_high", \.sequentialDifferenceInterval?.high),
      .real("seq_rel_ci_low", \.sequentialLiftInterval?.low),
      .real("seq_rel_ci_high", \.sequentialLiftInterval?.high),
    ]
  }

  /// What is shown beside the decision: the lift's interval by the test that decides, at its adjusted level.
  private static var decided: [TableColumn<ComparisonRow>] {
    [
      .real("decided_ci_low", \.decidedLiftInterval?.low),
      .real("decided_ci_high", \.decidedLiftInterval?.high),
    ]
  }

  private static var further: [TableColumn<ComparisonRow>] {
    [
      .real("chance_to_win", \.chanceToWin),
      .real("expected_loss", \.expectedLoss),
      .real("exact_p_value", \.exactPValue),
      .real("mde_rel", \.detectableLift),
      .real("cuped_theta", \.cupedTheta),
    ]
  }

  private static var decision: TableColumn<ComparisonRow> { .text("decision", \.decision.rawValue) }

  /// Free of the bell curve.
  private static var robust: [TableColumn<ComparisonRow>] {
    [
      .real("boot_abs_ci_low", \.bootstrapDifferenceInterval?.low),
      .real("boot_abs_ci_high", \.bootstrapDifferenceInterval?.high),
      .real("boot_rel_ci_low", \.bootstrapLiftInterval?.low),
      .real("boot_rel_ci_high", \.bootstrapLiftInterval?.high),
      .real("rank_p_value", \.rankPValue),
    ]
  }

  /// Columns of ours: what a guardrail's decision rests on, and whether a metric is only described.
  private static var margins: [TableColumn<ComparisonRow>] {
    [
      .flag("guardrail", \.isGuardrail),
      .real("margin", \.margin),
      .real("margin_p_value", \.marginPValue),
      .real("seq_margin_p_value", \.sequentialMarginPValue),
      .flag("descriptive", \.isDescriptive),
    ]
  }
}
