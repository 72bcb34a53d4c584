/// The tables and views there are, for whoever describes them.
package enum ResultCatalog {
  /// A table and its columns, in words.
  package struct Description: Sendable {
    /// The file's name without its ending.
    package let name: String
    package let meaning: String
    package let columns: [(name: String, holds: String, meaning: String)]
  }

  package static var tables: [Description] {
    ResultTables.all.map { table in
      Description(
        name: table.name, meaning: table.meaning,
        columns: table.columns.map { ($0.name, $0.type.words, $0.meaning) })
    }
  }

  /// The views of `results.sqlite`: the questions, and the tables whose columns need quotes.
  package static var views: [(name: String, meaning: String)] {
    let tables = ResultTables.all.map { Table(name: $0.name, columns: $0.columns, rows: []) }
    return SQLiteView.all(of: tables).map { ($0.name, $0.meaning) }
  }
}
