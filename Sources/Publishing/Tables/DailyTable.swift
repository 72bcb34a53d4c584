import Analysis

extension ResultTable {
  /// `daily.csv`: the comparisons as they would have been at the end of each UTC day, over everybody.
  ///
  /// `as_of` is that day's cut-off. In `results.sqlite`, where `as_of` names the night that was published, `day` alone
  /// tells the days apart.
  static var daily: ResultTable {
    let key: [TableColumn<DailyComparisonRow>] = [
      .job,
      .keyInstant("as_of", "that day's cut-off", \.asOf),
      .keyDate("day", "the UTC day") { $0.day.description },
    ]
    let comparison = ComparisonColumns.subject + ComparisonColumns.estimates
    return ResultTable(
      "daily", "The comparisons as they would have been at the end of each UTC day, over everybody.", of: \.daily,
      columns: key + comparison.map { $0.of(\.comparison) })
  }
}
