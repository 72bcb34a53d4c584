extension Table {
  /// A row of a table, which is read by the properties that `Columns` declares its columns as: `row.users`.
  @dynamicMemberLookup
  struct Row<Columns: ColumnSet> {
    fileprivate let layout: Layout<Columns>
    fileprivate let cells: [Cell]

    subscript<Value>(dynamicMember column: KeyPath<Columns, TableColumn<Columns.Record, Value>>) -> Value {
      layout.columns[keyPath: column].value { name in layout.positions[name].map { cells[$0] } ?? .empty }
    }

    subscript<Part>(dynamicMember part: KeyPath<Columns, PartColumns<Columns.Record, Part>>) -> Row<Part> {
      Row<Part>(layout: Layout(layout.columns[keyPath: part].columns, at: layout.positions), cells: cells)
    }
  }

  /// Columns, and where in a table's rows each stands, by name.
  fileprivate final class Layout<Columns: ColumnSet> {
    let columns: Columns
    let positions: [String: Int]

    init(_ columns: Columns, at positions: [String: Int]) {
      self.columns = columns
      self.positions = positions
    }
  }

  /// The rows, to be read by these columns; one that the table has not is empty in every row.
  func rows<Columns>(of columns: Columns) -> [Row<Columns>] {
    let positions = Dictionary(uniqueKeysWithValues: zip(self.columns.map(\.name), 0...))
    let layout = Layout(columns, at: positions)
    return rows.map { Row(layout: layout, cells: $0) }
  }
}

extension Table.Cell {
  /// A text; empty where there is none.
  var text: String { if case .text(let text) = self { text } else { "" } }

  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

  var integer: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }

  var real: Double? { if case .real(let number) = self { number } else { nil } }

  /// A sum of money in millionths of the currency's unit; nil where there is none, or the sum is not one of money.
  var micros: Int128? { if case .micros(let micros) = self { micros } else { nil } }

  /// An exact sum in its own units, millionths where it is money; nil where there is none.
  var exact: Int128? {
    switch self {
    case .micros(let sum), .integer(let sum): sum
    default: nil
    }
  }
}
