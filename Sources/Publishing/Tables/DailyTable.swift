import Analysis

extension ResultTable {
  /// `daily.csv`: the comparisons as they would have been at the end of each UTC day, over everybody.
  ///
  /// `as_of` is that day's cut-off. In `results.sqlite`, where `as_of` names the night that was published, `day` alone
  /// tells the days apart.
  static var daily: ResultTable {
    ResultTable(
      "daily", "The comparisons as they would have been at the end of each UTC day, over everybody.",
      streaming: { night, body in try night.daily.forEachDay { try body($0) } }, columns: dailyColumns)
  }

  /// What a story tells of `daily`: the primary metrics' lifts, which are few, so that they may be held.
  ///
  /// - Throws: as `DailyComparisons.forEachDay`.
  static func dailyStory(of night: NightResult) throws -> Table {
    let told: Set = [
      "day", "offering_id", "test_group_id", "metric", "primary", "rel_lift", "decided_ci_low", "decided_ci_high",
    ]
    let columns = dailyColumns.filter { told.contains($0.column.name) }
    let scope = TableScope(job: night.job)
    var rows: [[Table.Cell]] = []
    try night.daily.forEachDay(primaryOnly: true) {
      rows += Table("daily", of: $0, columns: columns, scope: scope).rows
    }
    return Table(name: daily.name, columns: columns.map(\.column), rows: rows)
  }

  private static var dailyColumns: [TableColumn<DailyComparisonRow>] {
    let key: [TableColumn<DailyComparisonRow>] = [
      .job,
      .keyInstant("as_of", "that day's cut-off", \.asOf),
      .keyDate("day", "the UTC day") { $0.day.description },
    ]
    let comparison = ComparisonColumns.subject + ComparisonColumns.estimates()
    return key + comparison.map { $0.of(\.comparison) }
  }
}
