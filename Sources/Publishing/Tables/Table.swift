import Domain

/// One table of results: typed columns, rows in the order of their keys. Every exporter works from this alone.
struct Table: Sendable {
  /// The file's name without its ending, and the SQL table's name: `comparisons`.
  let name: String
  let columns: [Column]
  private let source: TableRows

  /// The rows of a table that holds them; asking a streamed one for them all is a mistake of this program and ends it.
  var rows: [[Cell]] { source.held(of: name) }

  /// Calls `body` with each row in order, a streamed table's as it makes them.
  ///
  /// - Throws: what `body` throws, and what making the rows does.
  func forEachRow(_ body: ([Cell]) throws -> Void) throws { try source.forEach(body) }

  /// The rows where they are at hand; nil where they come one by one.
  var rowsAtHand: [[Cell]]? { source.atHand }

  /// How many rows there are; asking a table whose rows have not been made is such a mistake, too.
  var rowCount: Int { source.count(of: name) }

  /// The same table with its rows made, so that those who read it one after another do not have them made again: at hand
  /// where there are at most `most`, else in a file without a name.
  ///
  /// - Parameter folder: where that file lies, unless the environment's `TMPDIR` names another.
  /// - Throws: what making the rows does; `OfferliftError` 73 or 74 where the file cannot be written.
  func made(holding most: Int, elseIn folder: String) throws -> Table {
    Table(name: name, columns: columns, source: try source.made(holding: most, elseIn: folder))
  }

  /// What a column is called and what it holds.
  struct Column: Sendable, Equatable {
    let name: String
    let type: ColumnType
    /// Rows are sorted by the key columns, first to last.
    let isKey: Bool
    /// What its cells tell, in the words of a data dictionary: `net less tax and the store's commission`.
    let meaning: String
    /// What its numbers are counted in.
    let unit: ColumnUnit

    /// - Parameter unit: nil is the usual one of the type.
    init(name: String, type: ColumnType, isKey: Bool, meaning: String, unit: ColumnUnit? = nil) {
      (self.name, self.type, self.isKey, self.meaning) = (name, type, isKey, meaning)
      self.unit = unit ?? type.usualUnit
    }

    /// The same column by another name.
    func called(_ name: (String) -> String) -> Self {
      Self(name: name(self.name), type: type, isKey: isKey, meaning: meaning, unit: unit)
    }
  }

  /// What a column holds, for formats that have types.
  enum ColumnType: Sendable {
    case text, flag, integer, real
    /// A day, `2026-03-31`.
    case date
    /// An instant in RFC 3339, UTC.
    case instant
    /// An exact amount: money with its six decimals, or a whole number.
    case amount
    /// A whole number that may need more digits than 64 bits have.
    case sum

    /// In the words of a data dictionary.
    var words: String {
      switch self {
      case .text: "text"
      case .flag: "true or false"
      case .integer, .sum: "whole number"
      case .real: "number"
      case .date: "day"
      case .instant: "time, UTC"
      case .amount: "exact number"
      }
    }
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

  init(name: String, columns: [Column], rows: [[Cell]]) {
    self.init(name: name, columns: columns, source: .held(rows))
  }

  /// A table whose rows are made when they are asked for, and never all at once.
  init(name: String, columns: [Column], streaming rows: @escaping TableRows.Stream) {
    self.init(name: name, columns: columns, source: .streamed(rows))
  }

  private init(name: String, columns: [Column], source: TableRows) {
    (self.name, self.columns, self.source) = (name, columns, source)
  }

  /// Makes the table of `records`, a row each, and sorts it by its keys.
  ///
  /// - Parameters:
  ///   - row: writes a record's cells, one for each of `columns`.
  ///   - scope: what the records do not say themselves.
  init<Record>(
    _ name: String, _ columns: [Column], of records: [Record], by row: RowWriter<Record>,
    scope: TableScope = TableScope()
  ) {
    let keys = columns.indices.filter { columns[$0].isKey }
    var rows = records.map { record in
      var cells: [Cell] = []
      cells.reserveCapacity(columns.count)
      row(record, scope, &cells)
      return cells
    }
    rows.sort { left, right in
      for key in keys where left[key] != right[key] { return left[key].precedes(right[key]) }
      return false
    }
    self.init(name: name, columns: columns, rows: rows)
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
