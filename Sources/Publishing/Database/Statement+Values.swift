import GRDB

extension Statement {
  /// Executes the statement with a value for each of its marks.
  ///
  /// GRDB makes arguments of values first, and checks them: of a hundred thousand rows that takes longer than SQLite does.
  ///
  /// - Throws: `DatabaseError` where SQLite does not take a value, as one of more than a thousand million bytes, or the
  ///   statement fails.
  func execute(values: [DatabaseValue]) throws {
    // The values bound here are all there are: to GRDB there are none.
    setUncheckedArguments([])
    for (position, value) in zip(CInt(1)..., values) {
      let code = ResultCode(rawValue: value.bind(to: sqliteStatement, at: position))
      guard code == .SQLITE_OK else { throw DatabaseError(resultCode: code, sql: sql) }
    }
    try execute()
  }
}
