import GRDB
import Measurement

/// Writes a night's tables into `results.sqlite`, in the place of what the same night had there.
enum SQLiteExporter {
  /// What a night's row in `nights` says of it, but for its `content`.
  struct NightRow {
    var job: String
    /// The cut-off in RFC 3339, UTC.
    var asOf: String
    /// The date its folder is named by.
    var night: String
    var currency: String
    /// CRC-32 of the job file, in hexadecimal.
    var jobChecksum: String
    /// The program's that published it.
    var version: String

    fileprivate var key: SQLiteHistory.Night { SQLiteHistory.Night(job: job, asOf: asOf, night: night) }
  }

  /// Replaces the night, within the caller's transaction.
  ///
  /// A night is the date its folder is named by; a run at another cut-off of the same date takes its place here as
  /// it does on disk. Its `content` is recorded once its folder is whole.
  static func replace(_ night: NightRow, tables: [Table], in database: Database) throws {
    try SQLiteSchema.migrate(database, tables: tables)
    try remove(night, tables: tables, from: database)
    try database.execute(
      sql: """
        INSERT INTO nights (job, as_of, night, currency, job_crc32, version) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [night.job, night.asOf, night.night, night.currency, night.jobChecksum, night.version])
    for table in tables { try insert(table, of: night, into: database) }
    try NightChecksums.record(night.night, of: tables.map(\.name), in: database)
  }

  /// Takes a night out, in the caller's transaction; every other one says what it said.
  static func remove(_ night: String, from database: Database) throws {
    guard let row = try Row.fetchOne(database, sql: "SELECT job, as_of FROM nights WHERE night = ?", arguments: [night])
    else { return }
    let night = NightRow(
      job: row["job"], asOf: row["as_of"], night: night, currency: "", jobChecksum: "", version: "")
    try remove(
      night, tables: ResultTables.all.map { Table(name: $0.name, columns: $0.columns, rows: []) }, from: database)
  }

  /// A night's rows of a table as the database has them.
  static func table(_ table: any ResultTable, ofNight night: String, in database: Database) throws -> Table {
    guard try SQLiteSchema.has(table.name, in: database) else {
      return Table(name: table.name, columns: table.columns, rows: [])
    }
    let known = Set(try database.columns(in: table.name).map(\.name))
    let names = table.columns.map { SQLiteName.name(of: $0.name, among: known).map(SQLiteSchema.quoted) ?? "NULL" }
    let rows = try Row.fetchAll(
      database, sql: "SELECT \(names.joined(separator: ", ")) FROM \(SQLiteSchema.quoted(table.name)) WHERE night = ?",
      arguments: [night])
    return Table(name: table.name, columns: table.columns, rows: rows.map { $0.databaseValues.map(cell) })
  }

  private static func cell(_ value: DatabaseValue) -> Table.Cell {
    switch value.storage {
    case .null, .blob: .empty
    case .int64(let number): .integer(Int128(number))
    case .double(let number): .real(number)
    case .string(let text): .text(text)
    }
  }

  private static func remove(_ night: NightRow, tables: [Table], from database: Database) throws {
    let key: StatementArguments = [night.job, night.night, night.asOf]
    let found = try Row.fetchAll(
      database, sql: "SELECT as_of, night FROM nights WHERE job = ? AND (night = ? OR as_of = ?)", arguments: key)
    for row in found {
      let old = SQLiteHistory.Night(job: night.job, asOf: row["as_of"], night: row["night"])
      for history in tables.compactMap(SQLiteHistory.init) { try history.remove(old, from: database) }
    }
    try database.execute(sql: "DELETE FROM nights WHERE job = ? AND (night = ? OR as_of = ?)", arguments: key)
  }

  /// Records the checksum of the night's folder: by it the next run sees which folder belongs here.
  static func record(content: String, ofNight night: String, job: String, in database: Database) throws {
    try database.execute(
      sql: "UPDATE nights SET content = ? WHERE job = ? AND night = ?", arguments: [content, job, night])
  }

  /// The checksum of the folder that belongs to a night; nil for a night that is not there.
  static func content(ofNight night: String, job: String, in path: String) throws -> String? {
    try ResultsDatabase(path: path).read { database in
      guard try database.tableExists("nights"),
        try database.columns(in: "nights").contains(where: { $0.name == "content" })
      else { return nil }
      return try String.fetchOne(
        database, sql: "SELECT content FROM nights WHERE job = ? AND night = ?", arguments: [job, night])
    }
  }

  private static func insert(_ table: Table, of night: NightRow, into database: Database) throws {
    let columns = SQLiteSchema.columns(of: table)
    let key: [String: DatabaseValue] = [
      "job": night.job.databaseValue, "as_of": night.asOf.databaseValue, "night": night.night.databaseValue,
    ]
    let sources = columns.map { column in
      (
        key: key[column.name], position: table.columns.firstIndex { SQLiteName.name(of: $0.name) == column.name },
        type: column.type
      )
    }
    func forEachRow(_ body: ([DatabaseValue]) throws -> Void) throws {
      try table.forEachRow { row in
        try body(sources.map { source in source.key ?? source.position.map { value(row[$0], source.type) } ?? .null })
      }
    }
    if let history = SQLiteHistory(table) {
      return try history.put(night.key, rows: forEachRow, into: database)
    }
    let names = columns.map { SQLiteSchema.quoted($0.name) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try database.makeStatement(
      sql: "INSERT INTO \(SQLiteSchema.quoted(table.name)) (\(names)) VALUES (\(marks))")
    try forEachRow(statement.execute(values:))
  }

  /// A cell as SQLite stores it in a column of the type.
  ///
  /// Sums go in as the text of their digits, which 64 bits may not hold. Amounts go in as the nearest number, which is
  /// exact to the millionth up to eight billion units.
  static func value(_ cell: Table.Cell, _ type: Table.ColumnType) -> DatabaseValue {
    switch cell {
    case .text(let text): text.databaseValue
    case .flag(let flag): flag.databaseValue
    case .integer(let number): value(ofInteger: number, type)
    case .real(let number): number.databaseValue
    case .micros(let micros): NumberText.units(ofMicros: micros).databaseValue
    case .empty: .null
    }
  }

  private static func value(ofInteger number: Int128, _ type: Table.ColumnType) -> DatabaseValue {
    switch type {
    case .sum: number.description.databaseValue
    default: Int64(exactly: number)?.databaseValue ?? Double(number).databaseValue
    }
  }
}
