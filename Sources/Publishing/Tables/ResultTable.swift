import Analysis

/// One of the tables a night publishes: its name, its columns, and which of the night's records are its rows.
struct ResultTable: Sendable {
  /// The file's name without its ending: `comparisons`.
  let name: String
  /// What it tells, in a sentence.
  let meaning: String
  let columns: [Table.Column]
  private let make: @Sendable (NightResult) -> Table

  /// - Parameters:
  ///   - meaning: what the table tells, in a sentence.
  ///   - records: the night's records, one a row.
  ///   - columns: what is written of a record.
  init<Record>(
    _ name: String, _ meaning: String, of records: @escaping @Sendable (NightResult) -> [Record],
    columns: [TableColumn<Record>]
  ) {
    self.name = name
    self.meaning = meaning
    self.columns = columns.map(\.column)
    make = { night in
      let scope = TableScope(job: night.job, asOf: night.asOf.rfc3339, currency: night.currency)
      return Table(name, of: records(night), columns: columns, scope: scope)
    }
  }

  /// A table whose rows are made a part at a time; the parts come in the order of the keys, and each is sorted by them.
  init<Record>(
    _ name: String, _ meaning: String, streaming records: @escaping Parts<Record>, columns: [TableColumn<Record>]
  ) {
    self.name = name
    self.meaning = meaning
    self.columns = columns.map(\.column)
    make = { night in
      let scope = TableScope(job: night.job, asOf: night.asOf.rfc3339, currency: night.currency)
      return Table(name: name, columns: columns.map(\.column)) { body in
        try records(night) { part in
          try Table(name, of: part, columns: columns, scope: scope).rows.forEach(body)
        }
      }
    }
  }

  /// Hands over a night's records, a part at a time.
  typealias Parts<Record> = @Sendable (_ night: NightResult, _ body: ([Record]) throws -> Void) throws -> Void

  func table(of night: NightResult) -> Table { make(night) }
}
