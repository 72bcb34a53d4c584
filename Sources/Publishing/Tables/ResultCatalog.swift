/// The tables and views there are, for whoever describes them.
package enum ResultCatalog {
  /// A table and its columns, in words.
  package struct Description: Sendable {
    /// The file's name without its ending.
    package let name: String
    package let meaning: String
    package let columns: [Column]
  }

  /// A column in words.
  package struct Column: Sendable {
    /// As the CSV calls it.
    package let name: String
    /// As `results.sqlite` calls it.
    package let sqlName: String
    package let holds: String
    package let unit: String
    package let meaning: String
  }

  /// What a column of the CSV is called in a `results.sqlite` of that `PRAGMA user_version`, as SQL reads it.
  package static func sqlName(of column: String, schema: Int) -> String {
    SQLiteSchema.quoted(schema < SQLiteName.firstSchema ? column : SQLiteName.name(of: column))
  }

  package static var tables: [Description] {
    ResultTables.all.map { table in
      Description(
        name: table.name, meaning: table.meaning,
        columns: table.columns.map { column in
          Column(
            name: column.name, sqlName: SQLiteName.name(of: column.name), holds: column.type.words,
            unit: column.unit.rawValue, meaning: column.meaning)
        })
    }
  }

  /// The views of `results.sqlite`: the questions, and those of earlier versions.
  package static var views: [(name: String, meaning: String)] {
    let tables = ResultTables.all.map { Table(name: $0.name, columns: $0.columns, rows: []) }
    return SQLiteView.all(of: tables).map { ($0.name, $0.meaning) }
  }
}
