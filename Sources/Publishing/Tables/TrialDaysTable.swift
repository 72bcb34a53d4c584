import Analysis

extension ResultTable {
  /// `trial_days.csv`: on which day of their first trial users first paid for a subscription; days on which nobody of
  /// the offering did are left out.
  ///
  /// `trials` are users whose trial began so long before the cut-off that the day is over, `paid` those of them who
  /// paid on it.
  static var trialDays: ResultTable {
    ResultTable(
      "trial_days", "On which day of their first trial users first paid for a subscription.", of: \.trialDays,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .keyInteger("day", "the day of the trial, from 1", \.day),
        .integer("trials", "users whose trial began so long before the cut-off that the day is over", \.trials),
        .integer("paid", "those of them who first paid on it", \.paid),
        .real("share", "paid of trials", \.share),
      ])
  }
}
