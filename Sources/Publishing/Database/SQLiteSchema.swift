import GRDB
import Measurement

/// The layout of `results.sqlite`: a parent row for each night, one SQL table a result table, and the views.
///
/// The layout is made from the tables themselves, so a table added to `ResultTables.all` or a column added to one
/// appears in old files by itself, empty for the nights before.
enum SQLiteSchema {
  /// Brings the database to this program's layout, whatever older one it has.
  static func migrate(_ database: Database, tables: [Table]) throws {
    try createNights(database)
    for table in tables {
      if let history = SQLiteHistory(table) {
        try create(history, in: database)
      } else {
        try create(table, in: database)
      }
    }
    for (table, index) in indexes where tables.contains(where: { $0.name == table }) {
      try database.execute(sql: index)
    }
    for view in SQLiteView.all(of: tables) { try create(view, in: database) }
    try ColumnList.write(into: database)
    try database.execute(sql: "PRAGMA user_version = \(ResultsDatabase.version)")
  }

  /// The names of everything that this program, and those before it, made in the file.
  static var ownNames: Set<String> {
    let tables = ResultTables.all.map { Table(name: $0.name, columns: $0.columns, rows: []) }
    return Set(
      ["nights", NightChecksums.table, ColumnList.table] + SQLiteView.all(of: tables).map(\.name) + tables.map(\.name)
    )
    .union(tables.compactMap { SQLiteHistory($0)?.stored.name })
  }

  /// The columns of a table here: the result table's, led by `job`, `as_of` and `night`.
  static func columns(of table: Table) -> [Table.Column] { csvColumns(of: table).map { $0.called(SQLiteName.name) } }

  /// The same by the names that the CSV files have.
  static func csvColumns(of table: Table) -> [Table.Column] {
    nightKey + table.columns.filter { column in !nightKey.contains { $0.name == column.name } }
  }

  /// What tells a table's rows apart: the night by its cut-off, and the keys of the table itself; empty where rows may be
  /// alike in those, as of a file that a job names twice.
  private static func primaryKey(of table: Table) -> [String] {
    guard keyed.contains(table.name) else { return [] }
    return columns(of: table).filter { $0.isKey && $0.name != night.name }.map(\.name)
  }

  /// The tables of which no night has two rows of one key, whatever names its inputs hold.
  private static let keyed: Set = [
    "comparisons", "group_metrics", "metrics", "money", "plans", "price_response", "states", "sufficient_statistics",
    "verdicts",
  ]

  /// Whether the file has what a night's table of that name tells, whoever wrote it: `SQLiteHistory` tells some in views.
  static func has(_ table: String, in database: Database) throws -> Bool {
    try database.tableExists(table) || database.viewExists(table)
  }

  /// A name as SQL reads it, whatever it contains.
  static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// The night's date stands in every table, so that no question about nights needs a join.
  static let night = Table.Column(
    name: "night", type: .date, isKey: true, meaning: "the night's date, which its folder is named by")
  private static let nightKey = [Table.Column.job, .asOf, night]

  /// By them views read every night in their order, and those that count nothing else of the table: `decision_changes`
  /// and `lift_over_time` answer in a tenth of a second after two years of nights.
  private static let indexes = [
    (
      ComparisonsTable().name,
      """
      CREATE INDEX IF NOT EXISTS comparisons_of_everybody
      ON comparisons (job, offering_id, test_group_id, metric, night, decision, is_primary, rel_lift)
      WHERE segment = 'all';
      CREATE INDEX IF NOT EXISTS comparisons_over_time
      ON comparisons (job, offering_id, segment, metric, test_group_id, night);
      """
    )
  ]

  private static func createNights(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS nights (
          job TEXT NOT NULL, as_of TEXT NOT NULL, night TEXT NOT NULL, currency TEXT, content TEXT,
          job_crc32 TEXT, version TEXT,
          PRIMARY KEY (job, as_of), UNIQUE (job, night))
        """)
    let added = ["currency", "content", "job_crc32", "version"].map {
      Table.Column(name: $0, type: .text, isKey: false, meaning: "")
    }
    try addMissing(added, to: "nights", in: database)
  }

  private static func create(_ table: Table, in database: Database) throws {
    let columns = columns(of: table)
    if try isOfOtherForm(table, in: database) {
      try rebuild(table, in: database)
    } else {
      try createTable(table.name, columns.map(definition), key: primaryKey(of: table), in: database)
      try addMissing(columns, to: table.name, in: database)
    }
    guard primaryKey(of: table).isEmpty else { return }
    try database.execute(
      sql: "CREATE INDEX IF NOT EXISTS \(quoted("\(table.name)_by_night")) ON \(quoted(table.name)) (job, as_of)")
  }

  private static func createTable(
    _ name: String, _ definitions: [String], key: [String], in database: Database
  ) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(quoted(name)) (\(definitions.joined(separator: ", ")),
          \(key.isEmpty ? "" : "PRIMARY KEY (\(key.joined(separator: ", "))),")
          FOREIGN KEY (job, as_of) REFERENCES nights (job, as_of) ON DELETE CASCADE)
        """)
  }

  private static func addMissing(_ columns: [Table.Column], to table: String, in database: Database) throws {
    let present = Set(try database.columns(in: table).map(\.name))
    for column in columns where !present.contains(column.name) {
      try database.execute(sql: "ALTER TABLE \(quoted(table)) ADD COLUMN \(definition(column))")
    }
  }

  /// A column's name and declared type: a tool that goes by declared types reads every column right.
  private static func definition(_ column: Table.Column) -> String {
    "\(quoted(column.name)) \(declaredType(column.type))"
  }

  /// Sums go in as text: a number of SQLite has 64 bits, and a sum of squares of money needs more.
  private static func declaredType(_ type: Table.ColumnType) -> String {
    switch type {
    case .text, .date, .instant, .sum: "TEXT"
    case .flag, .integer: "INTEGER"
    case .real, .amount: "REAL"
    }
  }

  private static func create(_ view: SQLiteView, in database: Database) throws {
    let statement = "CREATE VIEW \(view.name) AS \(view.query)"
    let present = try String.fetchOne(
      database, sql: "SELECT sql FROM sqlite_master WHERE type = 'view' AND name = ?", arguments: [view.name])
    guard present != statement else { return }
    try database.execute(sql: "DROP VIEW IF EXISTS \(view.name)")
    try database.execute(sql: statement)
  }
}

// MARK: - Files of earlier versions

extension SQLiteSchema {
  /// Creates the table of a history, and takes over what an earlier version wrote of every night.
  private static func create(_ history: SQLiteHistory, in database: Database) throws {
    try create(history.stored, in: database)
    if let piece = history.piece {
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS \(quoted("\(history.stored.name)_by_\(piece)")) "
          + "ON \(quoted(history.stored.name)) (job, \(piece))")
    }
    let old = history.table
    guard try database.tableExists(old.name) else { return }
    try create(old, in: database)
    let names = columns(of: old).map { quoted($0.name) }.joined(separator: ", ")
    let rows = """
      SELECT \(names) FROM \(quoted(old.name)) WHERE job = ? AND as_of = ? ORDER BY \(history.piece ?? "rowid")
      """
    for row in try Row.fetchAll(database, sql: "SELECT job, as_of, night FROM nights ORDER BY job, night") {
      let night = SQLiteHistory.Night(job: row["job"], asOf: row["as_of"], night: row["night"])
      try history.put(
        night, isNewest: true,
        rows: { body in
          let rows = try Row.fetchCursor(database, sql: rows, arguments: [night.job, night.asOf])
          while let row = try rows.next() { try body(Array(row.databaseValues)) }
        }, into: database)
    }
    try database.execute(sql: "DROP TABLE \(quoted(old.name))")
    try NightChecksums.forget(old.name, in: database)
  }

  /// Whether the file has the table with columns of other types or names than now, without the night, or without its key.
  private static func isOfOtherForm(_ table: Table, in database: Database) throws -> Bool {
    guard try database.tableExists(table.name) else { return false }
    let found = try declaredTypes(of: table.name, in: database)
    let types = Dictionary(found, uniquingKeysWith: { first, _ in first })
    let key = try database.primaryKey(table.name)
    return types[night.name] == nil || (key.isRowID ? [] : key.columns) != primaryKey(of: table)
      || table.columns.contains { SQLiteName.name(of: $0.name) != $0.name && types[$0.name] != nil }
      || columns(of: table).contains { types[$0.name] != nil && types[$0.name] != declaredType($0.type) }
  }

  /// The name under which `NightChecksums` has a night's rows of a table: that of the view where a history holds them.
  private static func recordedName(of table: Table) -> String {
    table.name.hasSuffix(SQLiteHistory.suffix) ? String(table.name.dropLast(SQLiteHistory.suffix.count)) : table.name
  }

  private static func declaredTypes(of table: String, in database: Database) throws -> [(name: String, type: String)] {
    try database.columns(in: table).map { ($0.name, $0.type) }
  }

  /// Makes the table anew with the rows it has: SQLite cannot change a column's type, nor a table's key.
  ///
  /// The steps are those of https://sqlite.org/lang_altertable.html#otheralter. A column that this program does not
  /// know is kept.
  private static func rebuild(_ table: Table, in database: Database) throws {
    let wanted = columns(of: table)
    let found = try declaredTypes(of: table.name, in: database)
    let renamed = found.map(\.name).filter { SQLiteName.name(of: $0) != $0 }
    let others = found.filter { column in !wanted.contains { $0.name == SQLiteName.name(of: column.name) } }
    let fresh = "offerlift_\(table.name)"
    try createTable(
      fresh, wanted.map(definition) + others.map { "\(quoted($0.name)) \($0.type)" }, key: primaryKey(of: table),
      in: database)
    let retained = found.map(\.name).filter { $0 != night.name }
    let names = retained.map { quoted(renamed.contains($0) ? SQLiteName.name(of: $0) : $0) }
    try database.execute(
      sql: """
        INSERT INTO \(quoted(fresh)) (night, \(names.joined(separator: ", ")))
        SELECT n.night, \(retained.map { "t.\(quoted($0))" }.joined(separator: ", "))
        FROM \(quoted(table.name)) AS t JOIN nights AS n ON n.job = t.job AND n.as_of = t.as_of
        ORDER BY t.rowid;
        DROP TABLE \(quoted(table.name));
        PRAGMA legacy_alter_table = ON;
        ALTER TABLE \(quoted(fresh)) RENAME TO \(quoted(table.name));
        PRAGMA legacy_alter_table = OFF;
        """)
    // Checksums are of names, too.
    if !renamed.isEmpty { try NightChecksums.forget(recordedName(of: table), in: database) }
  }
}
