import Domain

/// A column that says what became of an order, which a plain table of charges must not need.
struct StatusColumn {
  private let name: String
  private let values: [String]

  private static let names = ["status", "financialstatus", "paymentstatus", "orderstatus", "state", "paid", "refunded"]

  /// The first such column with several values; nil where there is none.
  init?(_ columns: ColumnGuess) {
    let found = columns.free.map { (name: $0, values: Set(columns.sample.values(of: $0)).sorted()) }.first { column in
      Self.names.contains(ColumnRole.plain(column.name)) && (2...20).contains(column.values.count)
    }
    guard let found else { return nil }
    (name, values) = found
  }

  /// What to see to.
  var words: String {
    "every row counts as a charge, though \"\(name)\" says \(Phrase.list(values)); leave out the rows that are none"
  }
}

extension Guess where Value == String {
  /// That all rows are charges.
  init(_ type: String, _ status: StatusColumn?) {
    guard let status else {
      self.init(type, .likely, "no column tells types of events: every row counts as a charge")
      return
    }
    self.init(type, .guess, status.words)
  }
}
