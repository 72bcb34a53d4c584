import Analysis

/// `daily.csv`: the comparisons as they would have been at the end of each UTC day, over everybody.
///
/// `as_of` is that day's T. In `results.sqlite`, where `as_of` names the night that was published, `day` alone
/// tells the days apart.
enum DailyTable {
  static func table(of night: NightResult) -> Table {
    Table("daily", of: night.daily, columns: columns(job: night.job))
  }

  private static func columns(job: String) -> [TableColumn<DailyComparisonRow>] {
    let key: [TableColumn<DailyComparisonRow>] = [
      .keyText("job") { _ in job },
      .keyText("as_of") { $0.asOf.rfc3339 },
      .keyText("day") { $0.day.description },
    ]
    return key + ComparisonsTable.subject.map { $0.of(\.comparison) }
      + ComparisonsTable.estimates.map { $0.of(\.comparison) }
  }
}
