import Domain
import GRDB
import Measurement
import Platform

/// What the rows of every night came to when they were written, kept in `results.sqlite` itself: a row that has changed
/// since, is gone, or has come is noticed before later nights are built upon it.
///
/// A night's row in `nights` counts, too. Columns that change as later nights come do not, and neither does an empty
/// cell, so that a column may be added.
enum NightChecksums {
  static let table = "night_checksums"

  /// Rows that differ from what was recorded.
  struct Mismatch: Equatable {
    /// The night's date.
    var night: String
    var table: String
    /// There is no such table any more.
    var isGone = false
  }

  /// Columns that later nights, or the end of publishing, write anew. Earlier versions recorded tables that have the first.
  private static let changing: Set<String> = ["until", "content"]

  static func create(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          job TEXT NOT NULL, as_of TEXT NOT NULL, night TEXT NOT NULL, table_name TEXT NOT NULL,
          row_count INTEGER NOT NULL, checksum TEXT NOT NULL,
          PRIMARY KEY (job, night, table_name),
          FOREIGN KEY (job, as_of) REFERENCES nights (job, as_of) ON DELETE CASCADE)
        """)
  }

  /// Records the night, and what is not recorded of every other one.
  ///
  /// - Parameters:
  ///   - tables: names of the tables, and of views that tell every night's whole table, whose rows a night has.
  ///   - night: the date of the night whose rows have been written.
  static func record(_ night: String, of tables: [String], in database: Database) throws {
    try create(in: database)
    let tables = ["nights"] + tables
    try forgetOthers(than: tables, in: database)
    let known = try Row.fetchAll(database, sql: "SELECT night, table_name FROM \(table)")
    let recorded = Set(known.map { [$0["night"] as String, $0["table_name"] as String] })
    let insert = try database.makeStatement(
      sql:
        "INSERT OR REPLACE INTO \(table) (job, as_of, night, table_name, row_count, checksum) VALUES (?, ?, ?, ?, ?, ?)"
    )
    for row in try Row.fetchAll(database, sql: "SELECT job, as_of, night FROM nights ORDER BY night") {
      let found: String = row["night"]
      for name in tables where found == night || !recorded.contains([found, name]) {
        let sum = try sum(of: name, night: found, in: database)
        try insert.execute(arguments: [row["job"], row["as_of"], found, name, sum.rows, sum.text])
      }
    }
  }

  /// What earlier versions recorded of tables that hold a row once for many nights: later nights change them.
  private static func forgetOthers(than tables: [String], in database: Database) throws {
    let names = Set(try String.fetchAll(database, sql: "SELECT DISTINCT table_name FROM \(table)"))
    for name in names.subtracting(tables) where name.hasSuffix(SQLiteHistory.suffix) { try forget(name, in: database) }
  }

  /// Forgets what was recorded of a table, until it is recorded anew.
  static func forget(_ name: String, in database: Database) throws {
    guard try database.tableExists(table) else { return }
    try database.execute(sql: "DELETE FROM \(table) WHERE table_name = ?", arguments: [name])
  }

  /// The first of the nights that has no record of a table of which others have one; nil where there is none.
  static func unrecorded(among nights: [String], in database: Database) throws -> String? {
    let recorded = try Row.fetchAll(database, sql: "SELECT night, table_name FROM \(table)")
    let tables = Dictionary(grouping: recorded) { $0["night"] as String }.mapValues(\.count)
    let most = tables.values.max() ?? 1
    return nights.first { tables[$0, default: 0] < most }
  }

  /// The first night, and the table of it, whose rows are not what they were; nil where all are.
  static func mismatch(in database: Database) throws -> Mismatch? {
    guard try database.tableExists(table) else { return nil }
    let recorded = try Row.fetchAll(
      database, sql: "SELECT night, table_name, row_count, checksum FROM \(table) ORDER BY night, table_name")
    for row in recorded {
      guard let night: String = row["night"], let name: String = row["table_name"] else { continue }
      guard try rows(of: name, in: database) != nil else { return Mismatch(night: night, table: name, isGone: true) }
      let sum = try sum(of: name, night: night, in: database)
      guard row["row_count"] == sum.rows, row["checksum"] == sum.text else {
        return Mismatch(night: night, table: name)
      }
    }
    // A night without a record is one that an earlier version has published since.
    return nil
  }

  // MARK: - Sums

  /// The rows of one night in one table: how many, and the sum of their checksums, which no order changes.
  private struct Sum {
    var rows = 0
    var sum: UInt64 = 0
    var text: String { String(sum, radix: 16) }
  }

  /// What SQL reads a table's rows from; nil where there is nothing. A view that somebody dropped is made again by the next
  /// night.
  private static func rows(of name: String, in database: Database) throws -> String? {
    if try SQLiteSchema.has(name, in: database) { return SQLiteSchema.quoted(name) }
    guard let table = ResultTables.all.first(where: { $0.name == name }),
      let history = SQLiteHistory(Table(name: name, columns: table.columns, rows: [])),
      try database.tableExists(history.stored.name)
    else { return nil }
    return "(\(history.view.query))"
  }

  private static func sum(of table: String, night: String, in database: Database) throws -> Sum {
    guard let source = try rows(of: table, in: database) else { return Sum() }
    let statement = try database.makeStatement(sql: "SELECT * FROM \(source) WHERE night = ?")
    let columns = Column.all(named: statement.columnNames)
    let rows = try Row.fetchCursor(statement, arguments: [night])
    var sum = Sum()
    var bytes: [UInt8] = []
    while try rows.next() != nil {
      bytes.removeAll(keepingCapacity: true)
      for column in columns {
        let cell = SQLiteCell(statement.sqliteStatement, column: column.position)
        if cell.append(to: &bytes, behind: column.head) { bytes.append(endOfCell) }
      }
      var checksum = Checksum()
      checksum.update(bytes)
      sum.rows += 1
      sum.sum &+= UInt64(checksum.crc32)
    }
    return sum
  }

  private static let endOfCell: UInt8 = 0x1E

  /// A column whose cells count.
  private struct Column {
    let position: Int
    /// Its name, and what stands between that and a value.
    let head: [UInt8]

    /// By name.
    static func all(named names: [String]) -> [Column] {
      zip(names, 0...).filter { !changing.contains($0.0) }.sorted { $0.0 < $1.0 }
        .map { Column(position: $0.1, head: Array("\($0.0)=".utf8)) }
    }
  }
}
