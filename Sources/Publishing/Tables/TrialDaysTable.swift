import Analysis

/// `trial_days.csv`: on which day of their first trial users first paid for a subscription; days on which nobody of
/// the offering did are left out.
///
/// `trials` are users whose trial began so long before T that the day is over, `paid` those of them who paid on it.
enum TrialDaysTable {
  static func table(of night: NightResult) -> Table { Table("trial_days", of: night.trialDays, columns: columns) }

  private static var columns: [TableColumn<TrialDayRow>] {
    [
      .key("offering_id", \.offering),
      .key("test_group_id", \.group),
      .keyInteger("day", \.day),
      .integer("trials", \.trials),
      .integer("paid", \.paid),
      .real("share", \.share),
    ]
  }
}
