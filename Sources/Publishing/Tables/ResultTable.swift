import Analysis
import Domain
import Measurement

/// Columns of one of the tables a night publishes.
protocol TableColumns: ColumnSet {
  /// The table's file's name without its ending: `comparisons`.
  var name: String { get }
}

/// Columns of a table that tells an offering's groups apart.
protocol GroupColumns: TableColumns {
  var offering: Name { get }
  var group: Name { get }
}

/// One of the tables a night publishes: its name, its columns, and which of the night's records are its rows.
protocol ResultTable: TableColumns {
  /// What it tells, in a sentence.
  var meaning: String { get }
  var records: Records<Record> { get }
}

/// A table that tells an offering's groups apart.
protocol GroupTable: ResultTable, GroupColumns {}

/// A night's records, one a row.
enum Records<Record>: Sendable {
  case held(@Sendable (NightResult) -> [Record])
  /// Made a part at a time; the parts come in the order of the keys, and each is sorted by them.
  case streamed(Parts)

  /// Hands over a night's records, a part at a time.
  typealias Parts = @Sendable (_ night: NightResult, _ body: ([Record]) throws -> Void) throws -> Void
}

extension Records {
  /// What was counted of each group, a row each.
  static func ofGroups<Counted>(_ counted: @escaping @Sendable (GroupTables) -> [Counted]) -> Self
  where Record == CountedRow<Counted> {
    .held { night in night.groups.flatMap { group in counted(group.tables).map { CountedRow(of: group, $0) } } }
  }
}

extension ResultTable {
  /// The table of a night, its rows sorted by their keys.
  func table(of night: NightResult) -> Table {
    let scope = TableScope(job: night.job, asOf: night.asOf.rfc3339, currency: night.currency)
    switch records {
    case .held(let records): return table(of: records(night), scope: scope)
    case .streamed(let parts):
      let (name, columns, row) = (name, columns, row)
      return Table(name: name, columns: columns) { body in
        try parts(night) { part in try Table(name, columns, of: part, by: row, scope: scope).rows.forEach(body) }
      }
    }
  }

  /// The table of records that come from no run, as those of `analyze`.
  func table(of records: [Record], scope: TableScope = TableScope()) -> Table {
    Table(name, columns, of: records, by: row, scope: scope)
  }
}
