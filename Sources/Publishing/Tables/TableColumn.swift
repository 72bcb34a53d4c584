import Domain

/// What all rows of a table have in common and no record says itself; nil where it does not apply, as in `analyze`.
struct TableScope: Sendable {
  /// The job's name.
  var job: String?
  /// The cut-off in RFC 3339, UTC.
  var asOf: String?
  /// The reporting currency.
  var currency: String?
}

/// A column's name and type, and how its cell is read from a record.
struct TableColumn<Record>: Sendable {
  let column: Table.Column
  let cell: @Sendable (Record, TableScope) -> Table.Cell

  /// Reads a value from a record, on any thread.
  typealias Reader<Value> = @Sendable (Record) -> Value

  init(column: Table.Column, cell: @escaping @Sendable (Record, TableScope) -> Table.Cell) {
    self.column = column
    self.cell = cell
  }

  private init(
    _ name: String, _ meaning: String, _ type: Table.ColumnType, isKey: Bool = false,
    cell: @escaping Reader<Table.Cell>
  ) {
    self.init(column: Table.Column(name: name, type: type, isKey: isKey, meaning: meaning)) { record, _ in
      cell(record)
    }
  }

  /// The same column of records that hold this one.
  func of<Whole>(_ record: @escaping @Sendable (Whole) -> Record) -> TableColumn<Whole> {
    let cell = cell
    return TableColumn<Whole>(column: column) { whole, scope in cell(record(whole), scope) }
  }
}

// MARK: - Columns by what they hold

extension TableColumn {
  /// A name from the data that takes part in the table's key.
  static func key(_ name: String, _ meaning: String, _ id: @escaping Reader<Identifier>) -> Self {
    Self(name, meaning, .text, isKey: true) { .text(id($0).text) }
  }

  /// A word of our own that takes part in the table's key.
  static func keyText(_ name: String, _ meaning: String, _ text: @escaping Reader<String?>) -> Self {
    Self(name, meaning, .text, isKey: true) { text($0).map(Table.Cell.text) ?? .empty }
  }

  /// A number, where there is one, that takes part in the table's key.
  static func keyInteger(_ name: String, _ meaning: String, _ number: @escaping Reader<Int?>) -> Self {
    Self(name, meaning, .integer, isKey: true) { number($0).map { .integer(Int128($0)) } ?? .empty }
  }

  /// A day, as `2026-03-31`, that takes part in the table's key.
  static func keyDate(_ name: String, _ meaning: String, _ day: @escaping Reader<String>) -> Self {
    Self(name, meaning, .date, isKey: true) { .text(day($0)) }
  }

  /// An instant that takes part in the table's key.
  static func keyInstant(_ name: String, _ meaning: String, _ instant: @escaping Reader<Instant>) -> Self {
    Self(name, meaning, .instant, isKey: true) { .text(instant($0).rfc3339) }
  }

  /// A day, as `2026-03-31`.
  static func date(_ name: String, _ meaning: String, _ day: @escaping Reader<String>) -> Self {
    Self(name, meaning, .date) { .text(day($0)) }
  }

  static func instant(_ name: String, _ meaning: String, _ instant: @escaping Reader<Instant>) -> Self {
    Self(name, meaning, .instant) { .text(instant($0).rfc3339) }
  }

  static func text(_ name: String, _ meaning: String, _ text: @escaping Reader<String?>) -> Self {
    Self(name, meaning, .text) { text($0).map(Table.Cell.text) ?? .empty }
  }

  static func flag(_ name: String, _ meaning: String, _ flag: @escaping Reader<Bool>) -> Self {
    Self(name, meaning, .flag) { .flag(flag($0)) }
  }

  static func integer(
    _ name: String, _ meaning: String, _ number: @escaping Reader<(some BinaryInteger & SendableMetatype)?>
  ) -> Self {
    Self(name, meaning, .integer) { number($0).map { .integer(Int128($0)) } ?? .empty }
  }

  /// A number that may have no value; what is not finite counts as none.
  static func real(_ name: String, _ meaning: String, _ number: @escaping Reader<Double?>) -> Self {
    Self(name, meaning, .real) { record in
      number(record).flatMap { $0.isFinite ? .real($0) : nil } ?? .empty
    }
  }

  /// An exact amount: money with its six decimals, or a whole number.
  static func amount(_ name: String, _ meaning: String, _ cell: @escaping Reader<Table.Cell>) -> Self {
    Self(name, meaning, .amount, cell: cell)
  }

  /// An exact sum of money, in millionths of the currency's unit.
  static func money(_ name: String, _ meaning: String, _ micros: @escaping Reader<Int128?>) -> Self {
    amount(name, meaning) { micros($0).map(Table.Cell.micros) ?? .empty }
  }

  /// A whole number of any size.
  static func sum(_ name: String, _ meaning: String, _ number: @escaping Reader<Int128>) -> Self {
    Self(name, meaning, .sum) { .integer(number($0)) }
  }
}
