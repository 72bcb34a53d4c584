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

  /// Columns that later nights, or the end of publishing, write anew.
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

  /// Records every night that is not recorded, and those named anew.
  ///
  /// - Parameters:
  ///   - tables: names of the tables whose rows a night has.
  ///   - nights: the dates of nights whose rows have been written.
  static func record(_ nights: [String], of tables: [String], in database: Database) throws {
    try create(in: database)
    let known = Set(try String.fetchAll(database, sql: "SELECT DISTINCT night FROM \(table)"))
    try record(["nights"] + tables, in: database) { nights.contains($0) || !known.contains($0) }
  }

  /// Records a table that has taken another one's place, of every night that is recorded.
  static func replace(_ old: String, with new: String, in database: Database) throws {
    guard try database.tableExists(table) else { return }
    let known = Set(try String.fetchAll(database, sql: "SELECT DISTINCT night FROM \(table)"))
    try database.execute(sql: "DELETE FROM \(table) WHERE table_name = ?", arguments: [old])
    try record([new], in: database) { known.contains($0) }
  }

  private static func record(_ tables: [String], in database: Database, of isWanted: (String) -> Bool) throws {
    let insert = try database.makeStatement(
      sql:
        "INSERT OR REPLACE INTO \(table) (job, as_of, night, table_name, row_count, checksum) VALUES (?, ?, ?, ?, ?, ?)"
    )
    for row in try Row.fetchAll(database, sql: "SELECT job, as_of, night FROM nights ORDER BY night") {
      let night: String = row["night"]
      guard isWanted(night) else { continue }
      for name in tables {
        let sum = try sum(of: name, night: night, in: database)
        try insert.execute(arguments: [row["job"], row["as_of"], night, name, sum.rows, sum.text])
      }
    }
  }

  /// The first night, and the table of it, whose rows are not what they were; nil where all are.
  static func mismatch(in database: Database) throws -> Mismatch? {
    guard try database.tableExists(table) else { return nil }
    let recorded = try Row.fetchAll(
      database, sql: "SELECT night, table_name, row_count, checksum FROM \(table) ORDER BY night, table_name")
    for row in recorded {
      guard let night: String = row["night"], let name: String = row["table_name"] else { continue }
      guard try database.tableExists(name) else { return Mismatch(night: night, table: name, isGone: true) }
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

  private static func sum(of table: String, night: String, in database: Database) throws -> Sum {
    let statement = try database.makeStatement(
      sql: "SELECT * FROM \(SQLiteSchema.quoted(table)) WHERE night = ?")
    let columns = Column.all(named: statement.columnNames)
    let rows = try Row.fetchCursor(statement, arguments: [night])
    var sum = Sum()
    var bytes: [UInt8] = []
    while try rows.next() != nil {
      bytes.removeAll(keepingCapacity: true)
      for column in columns {
        let cell = SQLiteCell(statement.sqliteStatement, column: column.place)
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
    let place: Int
    /// Its name, and what stands between that and a value.
    let head: [UInt8]

    /// By name.
    static func all(named names: [String]) -> [Column] {
      zip(names, 0...).filter { !changing.contains($0.0) }.sorted { $0.0 < $1.0 }
        .map { Column(place: $0.1, head: Array("\($0.0)=".utf8)) }
    }
  }
}
