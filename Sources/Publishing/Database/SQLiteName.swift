import GRDB

/// What `results.sqlite` calls columns: as the CSV files do, unless SQL keeps the name for itself.
enum SQLiteName {
  /// Names of columns that are SQL's own words, and what stands in their place; https://sqlite.org/lang_keywords.html.
  static let ofKeywords = [
    "primary": "is_primary", "check": "check_name", "rows": "rows_read", "plan": "test_plan",
  ]

  /// The schema from which on they stand.
  static let firstSchema = 5

  /// The name of a table's column here.
  static func name(of column: String) -> String { ofKeywords[column] ?? column }

  /// The same in a file that may be of a version which named columns as the CSV files do; nil where it has no such column.
  static func name(of column: String, among found: Set<String>) -> String? {
    let own = name(of: column)
    return found.contains(own) ? own : found.contains(column) ? column : nil
  }

  /// A column of a table or view as SQL reads it, in a file of any version; `NULL` where it has no such column.
  static func quoted(_ column: String, of table: String, in database: Database) throws -> String {
    let found = Set(try database.columns(in: table).map(\.name))
    return name(of: column, among: found).map(SQLiteSchema.quoted) ?? "NULL"
  }
}
