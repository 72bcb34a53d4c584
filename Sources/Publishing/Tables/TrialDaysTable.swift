import Analysis

extension ResultTable {
  /// `trial_days.csv`: on which day of their first trial users first paid for a subscription; days on which nobody of
  /// the offering did are left out.
  ///
  /// `trials` are users whose trial began so long before the cut-off that the day is over, `paid` those of them who
  /// paid on it.
  static var trialDays: ResultTable {
    ResultTable(
      "trial_days", of: \.trialDays,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .keyInteger("day", \.day),
        .integer("trials", \.trials),
        .integer("paid", \.paid),
        .real("share", \.share),
      ])
  }
}
