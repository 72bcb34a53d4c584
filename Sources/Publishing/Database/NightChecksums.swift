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
    let insert = try database.makeStatement(
      sql:
        "INSERT OR REPLACE INTO \(table) (job, as_of, night, table_name, row_count, checksum) VALUES (?, ?, ?, ?, ?, ?)"
    )
    for row in try Row.fetchAll(database, sql: "SELECT job, as_of, night FROM nights ORDER BY night") {
      let night: String = row["night"]
      guard nights.contains(night) || !known.contains(night) else { continue }
      for name in ["nights"] + tables {
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
    let rows = try Row.fetchCursor(
      database, sql: "SELECT * FROM \(SQLiteSchema.quoted(table)) WHERE night = ?", arguments: [night])
    var sum = Sum()
    while let row = try rows.next() {
      sum.rows += 1
      sum.sum &+= UInt64(checksum(of: row))
    }
    return sum
  }

  private static func checksum(of row: Row) -> UInt32 {
    var cells: [(name: String, value: DatabaseValue)] = []
    for (name, value) in row where !value.isNull && !changing.contains(name) { cells.append((name, value)) }
    cells.sort { $0.name < $1.name }
    var checksum = Checksum()
    for cell in cells { checksum.update(Array("\(cell.name)=\(text(cell.value))\u{1e}".utf8)) }
    return checksum.crc32
  }

  private static func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: ""
    case .int64(let number): "i\(number)"
    case .double(let number): "d\(number.bitPattern)"
    case .string(let text): "s\(text)"
    case .blob(let bytes): "b\(bytes.base64EncodedString())"
    }
  }
}
