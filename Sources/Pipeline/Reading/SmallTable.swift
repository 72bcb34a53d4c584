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
      return try table.read { batch, reading in
        for row in 0..<batch.count {
          if let fault = batch.fault(of: row) {
            reading.reject(fault)
            continue
          }
          var place = batch.reject(row, .malformed, "")
          let values = (0..<fields.count).map { text(batch.fields(of: row)[$0]) }
          if let fault = try use(Row(values: values, place: place, file: file.displayName)) {
            place.reason = fault.reason
            place.detail = fault.detail
            reading.reject(place)
          } else {
            reading.account.used += 1
          }
        }
      }.reading
    }
  }

  private static func text(_ field: ol_field) -> String? {
    field.isMissing || field.length == 0 ? nil : field.text
  }
}
