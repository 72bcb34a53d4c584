extension EventStore {
  /// Reads a file of assignments in the same way; `number` is its index among all of the run.
  ///
  /// A database is read every time: its own bytes do not say what its rows are. The newest may be in the log beside it
  /// (`-wal`), and a query or view may ask for the time.
  ///
  /// - Throws: as `AssignmentTable.read`.
  func read(_ file: InputFile, of table: AssignmentTable, number: Int) throws -> FileReading {
    if table.input.format == .sqlite { return try table.read(file, number: number).reading }
    return try read(file, table.fingerprint) { entry, path in
      var blocks = try BlockFile(path)
      return try StoredAssignmentReader(entry, file, table, number: number).read(from: &blocks)
    } anew: { writer in
      try table.read(file, number: number, retainingIn: writer).reading
    }
  }
}
