import Domain
import Statistics

/// What all rows of a table have in common and no record says itself; nil where it does not apply, as in `analyze`.
struct TableScope: Sendable {
  /// The job's name.
  var job: String?
  /// The cut-off in RFC 3339, UTC.
  var asOf: String?
  /// The reporting currency.
  var currency: String?
}

/// A column's name and type, and how its cell is written of a record.
struct CellWriter<Record>: Sendable {
  let column: Table.Column
  let cell: @Sendable (Record, TableScope) -> Table.Cell

  /// The same column of records of which this one is a part.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Record) -> CellWriter<Whole> {
    let cell = cell
    return CellWriter<Whole>(column: column) { whole, scope in cell(part(whole), scope) }
  }
}

/// A value of a table's rows: the column that holds it, or several, how they are written of a record and how the value is
/// read back.
///
/// A cell that is empty, or does not hold what its column is declared to, has no value.
struct TableColumn<Record, Value>: Sendable {
  let writers: [CellWriter<Record>]
  /// Makes the value of a row, given the cell of each column, which is asked for by its name.
  let value: @Sendable (_ cell: (String) -> Table.Cell) -> Value

  /// Reads a value from a record, on any thread.
  typealias Reader<Part> = @Sendable (Record) -> Part

  init(
    _ column: Table.Column, value: @escaping @Sendable (Table.Cell) -> Value,
    cell: @escaping @Sendable (Record, TableScope) -> Table.Cell
  ) {
    writers = [CellWriter(column: column, cell: cell)]
    self.value = { value($0(column.name)) }
  }

  fileprivate init(
    _ name: String, _ meaning: String, _ type: Table.ColumnType, in unit: ColumnUnit? = nil, isKey: Bool = false,
    value: @escaping @Sendable (Table.Cell) -> Value, cell: @escaping Reader<Table.Cell>
  ) {
    let column = Table.Column(name: name, type: type, isKey: isKey, meaning: meaning, unit: unit)
    self.init(column, value: value) { record, _ in cell(record) }
  }

  fileprivate init(_ writers: [CellWriter<Record>], value: @escaping @Sendable ((String) -> Table.Cell) -> Value) {
    self.writers = writers
    self.value = value
  }

  /// The same of records of which this one is a part.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Record) -> TableColumn<Whole, Value> {
    TableColumn<Whole, Value>(writers.map { $0.of(part) }, value: value)
  }
}

// MARK: - Columns by what they hold

extension TableColumn where Value == Identifier {
  /// A name from the data; empty where there is none.
  init(_ name: String, _ meaning: String, isKey: Bool = false, _ id: @escaping Reader<Identifier>) {
    self.init(name, meaning, .text, isKey: isKey, value: { Identifier($0.text) }) { .text(id($0).text) }
  }
}

extension TableColumn where Value == String {
  /// A text; empty where there is none. A day is one, too, as `2026-03-31`, and an instant in RFC 3339, UTC.
  init(
    _ name: String, _ meaning: String, as type: Table.ColumnType = .text, isKey: Bool = false,
    _ text: @escaping Reader<String?>
  ) {
    self.init(name, meaning, type, isKey: isKey, value: \.text) { text($0).map(Table.Cell.text) ?? .empty }
  }
}

extension TableColumn where Value == Bool? {
  init(_ name: String, _ meaning: String, _ flag: @escaping Reader<Bool>) {
    self.init(name, meaning, .flag, value: \.flag) { .flag(flag($0)) }
  }
}

extension TableColumn where Value == Int? {
  init(
    _ name: String, _ meaning: String, in unit: ColumnUnit = .count, isKey: Bool = false,
    _ number: @escaping Reader<(some BinaryInteger & SendableMetatype)?>
  ) {
    self.init(name, meaning, .integer, in: unit, isKey: isKey, value: \.integer) {
      number($0).map { .integer(Int128($0)) } ?? .empty
    }
  }
}

extension TableColumn where Value == Double? {
  /// A number that may have no value; what is not finite counts as none.
  init(_ name: String, _ meaning: String, in unit: ColumnUnit, _ number: @escaping Reader<Double?>) {
    self.init(name, meaning, .real, in: unit, value: \.real) { record in
      number(record).flatMap { $0.isFinite ? .real($0) : nil } ?? .empty
    }
  }
}

extension TableColumn where Value == Interval? {
  /// An interval whose ends stand in two columns; nil unless both are known.
  init(_ low: TableColumn<Record, Double?>, _ high: TableColumn<Record, Double?>) {
    self.init(low.writers + high.writers) { cell in
      guard let low = low.value(cell), let high = high.value(cell) else { return nil }
      return Interval(low, high)
    }
  }
}

extension TableColumn where Value == Void {
  /// Figures that are written and never read back.
  init(_ figures: [TableColumn<Record, Double?>]) {
    self.init(figures.flatMap(\.writers)) { _ in () }
  }
}

extension TableColumn where Value == Int128? {
  /// An exact sum of money, in millionths of the currency's unit; nil too where a whole number stands in its place.
  init(_ name: String, _ meaning: String, in unit: ColumnUnit = .currency, _ micros: @escaping Reader<Int128?>) {
    self.init(name, meaning, .amount, in: unit, value: \.micros) { micros($0).map(Table.Cell.micros) ?? .empty }
  }
}

extension TableColumn where Value == Table.Cell {
  /// An exact amount: money with its six decimals, or a whole number.
  init(_ name: String, _ meaning: String, in unit: ColumnUnit, _ cell: @escaping Reader<Table.Cell>) {
    self.init(name, meaning, .amount, in: unit, value: \.self, cell: cell)
  }

  /// A whole number of any size.
  static func sum(
    _ name: String, _ meaning: String, in unit: ColumnUnit = .scaled, _ number: @escaping Reader<Int128>
  ) -> Self {
    Self(name, meaning, .sum, in: unit, value: \.self) { .integer(number($0)) }
  }
}
