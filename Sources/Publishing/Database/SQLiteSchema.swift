import Engine
import GRDB

/// The layout of `results.sqlite`: a parent row for each night, one SQL table a result table, and the views.
///
/// The layout is made from the tables themselves, so a table added to `ResultTable.all` or a column added to one
/// appears in old files by itself, empty for the nights before.
enum SQLiteSchema {
  /// Brings the database to this program's layout, whatever older one it has.
  static func migrate(_ database: Database, tables: [Table]) throws {
    try createNights(database)
    for table in tables { try create(table, in: database) }
    for (name, definition) in views { try create(view: name, as: definition, in: database) }
    try database.execute(sql: "PRAGMA user_version = \(ResultsDatabase.version)")
  }

  /// The columns of a table here: the result table's, led by `job` and `as_of`.
  static func columns(of table: Table) -> [Table.Column] {
    nightKey + table.columns.filter { column in !nightKey.contains { $0.name == column.name } }
  }

  /// A name as SQL reads it, whatever it contains.
  static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  private static let nightKey = ["job", "as_of"].map { Table.Column(name: $0, type: .text, isKey: true) }

  private static func createNights(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS nights (
          job TEXT NOT NULL, as_of TEXT NOT NULL, night TEXT NOT NULL, currency TEXT, content TEXT,
          PRIMARY KEY (job, as_of), UNIQUE (job, night))
        """)
    let added = ["currency", "content"].map { Table.Column(name: $0, type: .text, isKey: false) }
    try addMissing(added, to: "nights", in: database)
  }

  private static func create(_ table: Table, in database: Database) throws {
    let columns = columns(of: table)
    let definitions = columns.map(definition).joined(separator: ", ")
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(quoted(table.name)) (\(definitions),
          FOREIGN KEY (job, as_of) REFERENCES nights (job, as_of) ON DELETE CASCADE)
        """)
    try addMissing(columns, to: table.name, in: database)
    try database.execute(
      sql: """
        CREATE INDEX IF NOT EXISTS \(quoted("\(table.name)_by_night"))
        ON \(quoted(table.name)) (job, as_of)
        """)
  }

  private static func addMissing(_ columns: [Table.Column], to table: String, in database: Database) throws {
    let present = Set(try database.columns(in: table).map(\.name))
    for column in columns where !present.contains(column.name) {
      try database.execute(sql: "ALTER TABLE \(quoted(table)) ADD COLUMN \(definition(column))")
    }
  }

  /// A column's name and declared type.
  ///
  /// Exact sums have no declared type on purpose: every affinity that counts as a number, NUMERIC too, would
  /// turn more than 64 bits into a rounded REAL. Without one, SQLite keeps what it is given.
  private static func definition(_ column: Table.Column) -> String {
    let name = quoted(column.name)
    return switch column.type {
    case .text: "\(name) TEXT"
    case .flag, .integer: "\(name) INTEGER"
    case .real: "\(name) REAL"
    case .exact: name
    }
  }

  private static func create(view name: String, as definition: String, in database: Database) throws {
    let statement = "CREATE VIEW \(name) AS \(definition)"
    let present = try String.fetchOne(
      database, sql: "SELECT sql FROM sqlite_master WHERE type = 'view' AND name = ?", arguments: [name])
    guard present != statement else { return }
    try database.execute(sql: "DROP VIEW IF EXISTS \(name)")
    try database.execute(sql: statement)
  }

  /// The views analysts start from: each one's name, and the query it stands for.
  private static let views = [
    (
      "latest_decisions",
      """
      SELECT c.job, n.night, c.as_of, c.offering_id, c.baseline_group_id, c.test_group_id, c.metric, \
      c."primary", c.goal, c.baseline_value, c.value, c.rel_lift, c.rel_ci_low, c.rel_ci_high, \
      c.seq_rel_ci_low, c.seq_rel_ci_high, c.p_value_adjusted, c.decided_ci_low, c.decided_ci_high, c.chance_to_win, \
      c.decision
      FROM comparisons AS c JOIN nights AS n ON n.job = c.job AND n.as_of = c.as_of
      WHERE c.segment = 'all' AND n.night = (SELECT MAX(night) FROM nights WHERE job = c.job)
      ORDER BY c.job, c.offering_id, c."primary" DESC, c.metric, c.test_group_id
      """
    ),
    (
      "lift_over_time",
      """
      SELECT c.job, c.offering_id, c.baseline_group_id, c.test_group_id, c.segment, c.metric, n.night, c.as_of, \
      c.baseline_value, c.value, c.rel_lift, c.rel_ci_low, c.rel_ci_high, c.seq_rel_ci_low, c.seq_rel_ci_high, \
      c.p_value, c.seq_p_value, c.p_value_adjusted, c.decided_ci_low, c.decided_ci_high, c.decision
      FROM comparisons AS c JOIN nights AS n ON n.job = c.job AND n.as_of = c.as_of
      ORDER BY c.job, c.offering_id, c.segment, c.metric, c.test_group_id, n.night
      """
    ),
  ]
}
