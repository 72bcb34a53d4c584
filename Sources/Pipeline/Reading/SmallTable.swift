import CSimdjson

/// A table that is held whole: catalog, products, exchange rates.
struct SmallTable {
  /// One row: a text for each field, nil where the file has none.
  struct Row {
    let values: [String?]
    /// Makes the reject the row becomes if it turns out to be wrong.
    let place: Reject
    let file: String

    /// The error of a table that says two things about one.
    func contradiction(_ what: String) -> OfferliftError {
      OfferliftError(.badData, "\(file), line \(place.line): \(what), and an earlier row says otherwise; keep one.")
    }
  }

  /// Reads every file of `input` and hands each row to `use`, which returns what is wrong with it, if anything.
  ///
  /// Two rows that contradict each other are the caller's to refuse: which of them is right is not for the
  /// order of lines to say.
  static func read(
    _ input: TableInput, fields: [(name: String, isRequired: Bool)], job: Job,
    use: (Row) throws -> (reason: SetAsideReason, detail: String)?
  ) throws -> [FileReading] {
    try input.files(relativeTo: job.file).map { file in
      let table = TableFile(
        input: input, file: file, fields: fields.map(\.name), isRequired: fields.map(\.isRequired),
        jobFile: job.file.lastPathComponent, onCorrupt: job.onCorrupt)
      var rows: [Row] = []
      var (reading, isWhole) = try table.read { batch, reading in
        for row in 0..<batch.count {
          if let fault = batch.fault(of: row) {
            reading.reject(fault)
            continue
          }
          let values = (0..<fields.count).map { text(batch.fields(of: row)[$0]) }
          rows.append(Row(values: values, place: batch.reject(row, .malformed, ""), file: file.displayName))
        }
      }
      // Of a damaged file that the job skips nothing may be used, and the damage shows at its end.
      if isWhole { for row in rows { try settle(row, fault: use(row), in: &reading) } }
      return reading
    }
  }

  private static func settle(
    _ row: Row, fault: (reason: SetAsideReason, detail: String)?, in reading: inout FileReading
  ) {
    guard let fault else {
      reading.account.used += 1
      return
    }
    var reject = row.place
    reject.reason = fault.reason
    reject.detail = fault.detail
    reading.reject(reject)
  }

  private static func text(_ field: ol_field) -> String? {
    field.isMissing || field.length == 0 ? nil : field.text
  }
}
