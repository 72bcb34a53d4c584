import Analysis
import Domain
import Foundation
import GRDB
import Measurement

/// Where `results.sqlite` says something else of a night than the night's folder does.
struct NightDifference {
  /// The end of a sentence that begins with the database's path.
  let words: String

  /// The tables from which later nights, the index and answers tell of a night. `daily` and `arrivals` say for the most
  /// part what the night before said.
  private static let compared: [any ResultTable] =
    [GroupMetricsTable()]
    + ResultTables.all.filter {
      ![DailyTable().name, ArrivalsTable().name, GroupMetricsTable().name].contains($0.name)
    }

  /// The first difference there is; nil where there is none. Tables and columns that one of the two has not, as of earlier
  /// versions, are passed over.
  ///
  /// - Parameters:
  ///   - folder: the night's.
  ///   - tables: those that are compared.
  /// - Throws: `OfferliftError` where a file cannot be read, `DatabaseError`.
  static func first(_ folder: StoryFolder, of tables: [any ResultTable] = compared, in database: Database) throws
    -> Self?
  {
    let night = folder.folder.lastPathComponent
    if let row = try? folder.row(), let difference = try difference(row, in: database) { return difference }
    for table in tables where try SQLiteSchema.has(table.name, in: database) {
      guard let reported = try folder.rows(of: table) else { continue }
      if let found = try difference(NightRows(reported.table, named: reported.columns, in: database), night, database) {
        return found
      }
    }
    return nil
  }

  private static func difference(_ row: SQLiteExporter.NightRow, in database: Database) throws -> Self? {
    let sql = "SELECT * FROM nights WHERE night = ?"
    guard let known = try Row.fetchOne(database, sql: sql, arguments: [row.night]) else { return nil }
    let pairs = [
      ("job", row.job), ("as_of", row.asOf), ("currency", row.currency), ("job_crc32", row.jobChecksum),
      ("version", row.version),
    ]
    for (name, reported) in pairs where !reported.isEmpty {
      guard let value: String = known[name], value != reported else { continue }
      return Self(
        words:
          "has \(name) \(value) for the night \(row.night), and its folder's \(NightFiles.runRecord) says \(reported)")
    }
    return nil
  }

  private static func difference(_ rows: NightRows, _ night: String, _ database: Database) throws -> Self? {
    let (name, file) = (rows.table.name, "\(rows.table.name).csv")
    let (retained, reported) = (try rows.retained(ofNight: night, in: database), rows.reported)
    guard retained != reported else { return nil }
    guard retained.count == reported.count else {
      return Self(
        words:
          "has \(Phrase.count(retained.count, "row")) of the night \(night) in the table \(name), and its folder's \(file) "
          + "has \(reported.count)")
    }
    guard let (here, there) = zip(retained, reported).first(where: { $0 != $1 }),
      let position = rows.position(ofDifference: here, there)
    else { return nil }
    let (column, keys) = (rows.columns[position].name, rows.keys(of: there, but: position))
    func value(_ text: String) -> String { text.isEmpty ? "nothing" : text }
    return Self(
      words:
        "says of the night \(night) in the table \(name) that \(column) is \(value(here[position])), and its folder's "
        + "\(file) says \(value(there[position]))\(keys)")
  }
}

/// A table of a night as its folder tells it and as `results.sqlite` keeps it, cell by cell in the same words.
private struct NightRows {
  let table: Table
  /// Those that both have.
  let columns: [Table.Column]
  private let positions: [Int]
  /// What the database calls them.
  private let names: [String]

  init(_ table: Table, named names: Set<String>, in database: Database) throws {
    let retained = Set(try database.columns(in: table.name).map(\.name))
    let found = table.columns.indices.filter { names.contains(table.columns[$0].name) }.compactMap { position in
      SQLiteName.name(of: table.columns[position].name, among: retained).map { (position: position, name: $0) }
    }
    self.table = table
    positions = found.map(\.position)
    columns = positions.map { table.columns[$0] }
    self.names = found.map(\.name)
  }

  /// The folder's rows, sorted.
  var reported: [[String]] {
    sorted(table.rows.map { row in zip(columns, positions).map { Self.text(row[$1], $0.type) } })
  }

  /// The database's, sorted.
  func retained(ofNight night: String, in database: Database) throws -> [[String]] {
    let names = names.map(SQLiteSchema.quoted).joined(separator: ", ")
    let rows = try Row.fetchCursor(
      database,
      // The first layout told nights apart by that alone.
      sql:
        "SELECT \(names) FROM \(SQLiteSchema.quoted(table.name)) WHERE as_of = (SELECT as_of FROM nights WHERE night = ?)",
      arguments: [night])
    var found: [[String]] = []
    while let row = try rows.next() {
      found.append(zip(columns, row.databaseValues).map { Self.text($1, $0.type) })
    }
    return sorted(found)
  }

  /// The column to name where two rows differ: the value, if that is another.
  func position(ofDifference here: [String], _ there: [String]) -> Int? {
    let others = columns.indices.filter { here[$0] != there[$0] }
    return others.first { columns[$0].name == "value" } ?? others.first
  }

  /// ` (test, b, revenue_net_7d)`.
  func keys(of row: [String], but position: Int) -> String {
    let keys = columns.indices.filter { columns[$0].isKey && $0 != position && !row[$0].isEmpty }.map { row[$0] }
    return keys.isEmpty ? "" : " (\(keys.joined(separator: ", ")))"
  }

  /// By the keys first, so that rows of one key stand beside one another.
  private func sorted(_ rows: [[String]]) -> [[String]] {
    let order = columns.indices.filter { columns[$0].isKey } + columns.indices.filter { !columns[$0].isKey }
    return rows.sorted { left, right in
      guard let position = order.first(where: { left[$0] != right[$0] }) else { return false }
      return left[position] < right[position]
    }
  }

  private static func text(_ cell: Table.Cell, _ type: Table.ColumnType) -> String {
    text(SQLiteExporter.value(cell, type), type)
  }

  /// SQLite keeps a number as its column is declared to, and a CSV file does not tell an empty text from none.
  private static func text(_ value: DatabaseValue, _ type: Table.ColumnType) -> String {
    switch (value.storage, type) {
    case (.null, _), (.blob, _): ""
    case (.int64(let number), .real), (.int64(let number), .amount): NumberText.real(Double(number))
    case (.int64(let number), _): number.description
    case (.double(let number), _): NumberText.real(number == 0 ? 0 : number)
    case (.string(let text), .real), (.string(let text), .amount), (.string(let text), .integer):
      Double(text).map(NumberText.real) ?? text
    case (.string(let text), _): text
    }
  }
}
