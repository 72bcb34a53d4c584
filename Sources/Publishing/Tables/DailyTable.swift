import Analysis

/// `daily.csv`: the comparisons as they would have been at the end of each UTC day, over everybody.
///
/// `as_of` is that day's cut-off. In `results.sqlite`, where `as_of` names the night that was published, `day` alone
/// tells the days apart.
struct DailyTable: ResultTable {
  typealias Record = DailyComparisonRow
  let name = "daily"
  let meaning = "The comparisons as they would have been at the end of each UTC day, over everybody."
  let records = Records<Record>.streamed { night, body in try night.daily.forEachDay { try body($0) } }

  let job = Text.job
  let asOf = Text("as_of", "that day's cut-off", as: .instant, isKey: true, \.asOf.rfc3339)
  let day = Text("day", "the UTC day", as: .date, isKey: true, \.day.description)
  let compared = ComparisonColumns().of(\Record.comparison)
}

/// What a story reads of `daily.csv`: the primary metrics' lifts, which are few, so that they may be held.
struct DailyLifts: GroupColumns {
  typealias Record = DailyComparisonRow
  let name = DailyTable().name

  let day = DailyTable().day
  let offering = DailyTable().compared.offering
  let group = DailyTable().compared.group
  let metric = DailyTable().compared.metric
  let isPrimary = DailyTable().compared.isPrimary
  let lift = DailyTable().compared.lift
  let decidedInterval = DailyTable().compared.decidedInterval

  /// These columns, at hand, of a table whose rows are not.
  ///
  /// - Throws: as `Table.forEachRow`.
  func table(of daily: Table) throws -> Table {
    let positions = columns.compactMap(daily.columns.firstIndex)
    let flag = isPrimary.writers.compactMap { daily.columns.firstIndex(of: $0.column) }.first
    var rows: [[Table.Cell]] = []
    try daily.forEachRow { row in
      if flag.map({ row[$0] == .flag(true) }) ?? false { rows.append(positions.map { row[$0] }) }
    }
    return Table(name: name, columns: positions.map { daily.columns[$0] }, rows: rows)
  }
}
