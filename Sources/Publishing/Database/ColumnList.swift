import GRDB

/// The table `columns` of `results.sqlite`: what every column of every table holds, and in what unit.
enum ColumnList {
  static let table = "columns"

  /// Its rows as they are now, in the place of those of another version.
  static func write(into database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          table_name TEXT NOT NULL, column_name TEXT NOT NULL, holds TEXT NOT NULL, unit TEXT NOT NULL,
          meaning TEXT NOT NULL, PRIMARY KEY (table_name, column_name));
        DELETE FROM \(table)
        """)
    let insert = try database.makeStatement(sql: "INSERT INTO \(table) VALUES (?, ?, ?, ?, ?)")
    for table in ResultTables.all.map({ Table(name: $0.name, columns: $0.columns, rows: []) }) {
      for column in SQLiteSchema.columns(of: table) {
        try insert.execute(arguments: [
          table.name, column.name, column.type.words, column.unit.rawValue, column.meaning,
        ])
      }
    }
  }
}
