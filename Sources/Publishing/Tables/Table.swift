import Domain
import Engine

/// One table of results: typed columns, rows in the order of their keys. Every exporter works from this alone.
struct Table: Sendable {
  /// The file's name without its ending, and the SQL table's name: `comparisons`.
  let name: String
  let columns: [Column]
  let rows: [[Cell]]

  struct Column: Sendable, Equatable {
    let name: String
    let type: ColumnType
    /// Rows are sorted by the key columns, first to last.
    let isKey: Bool
  }

  /// What a column holds, for exporters whose format has types.
  enum ColumnType: Sendable {
    case text, flag, integer, real
    /// An exact sum, which may need more digits than 64 bits or a Double have.
    case exact
  }

  /// One value; `empty` is "not computable" or "does not apply", never 0.
  enum Cell: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case integer(Int128)
    case real(Double)
    /// An exact sum of money, in millionths of the currency's unit.
    case micros(Int128)
    case empty
  }

  /// Makes the table of `records`, each column reading its cell from a record.
  init<Record>(_ name: String, of records: [Record], columns: [TableColumn<Record>]) {
    self.name = name
    self.columns = columns.map(\.column)
    let keys = columns.indices.filter { columns[$0].column.isKey }
    rows = records.map { record in columns.map { $0.cell(record) } }
      .sorted { left, right in
        for key in keys where left[key] != right[key] { return left[key].precedes(right[key]) }
        return false
      }
  }
}

extension Table.Cell {
  /// The order of key cells: numbers by value, texts by UTF-8 bytes, empty cells first.
  func precedes(_ other: Self) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.integer(let left), .integer(let right)): left < right
    case (.micros(let left), .micros(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.flag(let left), .flag(let right)): !left && right
    default: self == .empty && other != .empty
    }
  }
}

/// A column's name and type, and how its cell is read from a record.
struct TableColumn<Record> {
  let column: Table.Column
  let cell: (Record) -> Table.Cell

  private init(_ name: String, _ type: Table.ColumnType, isKey: Bool, cell: @escaping (Record) -> Table.Cell) {
    column = Table.Column(name: name, type: type, isKey: isKey)
    self.cell = cell
  }

  /// The same column of records that hold this one.
  func of<Whole>(_ record: @escaping (Whole) -> Record) -> TableColumn<Whole> {
    let cell = cell
    return TableColumn<Whole>(column.name, column.type, isKey: column.isKey) { cell(record($0)) }
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
}
