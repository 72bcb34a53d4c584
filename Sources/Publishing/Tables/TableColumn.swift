import Domain

/// What all rows of a table have in common and no record says itself; nil where it does not apply, as in `analyze`.
struct TableScope {
  /// The job's name.
  var job: String?
  /// The cut-off in RFC 3339, UTC.
  var asOf: String?
  /// The reporting currency.
  var currency: String?
}

/// A column's name and type, and how its cell is read from a record.
struct TableColumn<Record> {
  let column: Table.Column
  let cell: (Record, TableScope) -> Table.Cell

  private init(column: Table.Column, cell: @escaping (Record, TableScope) -> Table.Cell) {
    self.column = column
    self.cell = cell
  }

  private init(_ name: String, _ type: Table.ColumnType, isKey: Bool, cell: @escaping (Record) -> Table.Cell) {
    self.init(column: Table.Column(name: name, type: type, isKey: isKey)) { record, _ in cell(record) }
  }

  /// The same column of records that hold this one.
  func of<Whole>(_ record: @escaping (Whole) -> Record) -> TableColumn<Whole> {
    let cell = cell
    return TableColumn<Whole>(column: column) { whole, scope in cell(record(whole), scope) }
  }

  /// The job's name, the first part of a key.
  static var job: Self { ofScope("job", isKey: true, \.job) }

  /// The cut-off in RFC 3339, the second part of a key.
  static var asOf: Self { ofScope("as_of", isKey: true, \.asOf) }

  /// The reporting currency.
  static var currency: Self { ofScope("currency", isKey: false, \.currency) }

  private static func ofScope(_ name: String, isKey: Bool, _ text: @escaping (TableScope) -> String?) -> Self {
    Self(column: Table.Column(name: name, type: .text, isKey: isKey)) { _, scope in
      text(scope).map(Table.Cell.text) ?? .empty
    }
  }

  /// A name from the data that takes part in the table's key.
  static func key(_ name: String, _ id: @escaping (Record) -> Identifier) -> Self {
    Self(name, .text, isKey: true) { .text(id($0).text) }
  }

  /// A word of our own that takes part in the table's key.
  static func keyText(_ name: String, _ text: @escaping (Record) -> String?) -> Self {
    Self(name, .text, isKey: true) { text($0).map(Table.Cell.text) ?? .empty }
  }

  /// A number that takes part in the table's key.
  static func keyInteger(_ name: String, _ number: @escaping (Record) -> Int) -> Self {
    Self(name, .integer, isKey: true) { .integer(Int128(number($0))) }
  }

  static func text(_ name: String, _ text: @escaping (Record) -> String?) -> Self {
    Self(name, .text, isKey: false) { text($0).map(Table.Cell.text) ?? .empty }
  }

  static func flag(_ name: String, _ flag: @escaping (Record) -> Bool) -> Self {
    Self(name, .flag, isKey: false) { .flag(flag($0)) }
  }

  static func integer(_ name: String, _ number: @escaping (Record) -> (some BinaryInteger)?) -> Self {
    Self(name, .integer, isKey: false) { number($0).map { .integer(Int128($0)) } ?? .empty }
  }

  /// A number that may have no value; what is not finite counts as none.
  static func real(_ name: String, _ number: @escaping (Record) -> Double?) -> Self {
    Self(name, .real, isKey: false) { record in
      number(record).flatMap { $0.isFinite ? .real($0) : nil } ?? .empty
    }
  }

  /// An exact sum: money with its six decimals, or a whole number.
  static func exact(_ name: String, _ cell: @escaping (Record) -> Table.Cell) -> Self {
    Self(name, .exact, isKey: false, cell: cell)
  }

  /// An exact sum of money, in millionths of the currency's unit.
  static func money(_ name: String, _ micros: @escaping (Record) -> Int128?) -> Self {
    exact(name) { micros($0).map(Table.Cell.micros) ?? .empty }
  }
}
