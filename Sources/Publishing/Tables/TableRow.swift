import Domain
import Statistics

extension Table {
  /// A row of a table, whose cells are read by the names and types that the table declares for its columns.
  ///
  /// A cell that is empty has no value. Asking for a column that the table does not declare, or declares as something
  /// else, is a mistake of this program and ends it.
  struct Row {
    fileprivate let table: String
    fileprivate let places: [String: Int]
    fileprivate let cells: [Cell]

    /// A name from the data; empty where there is none.
    func name(_ column: String) -> Identifier { Identifier(text(column)) }

    /// A text; empty where there is none.
    func text(_ column: String) -> String {
      switch self[column] {
      case .text(let text): text
      case .empty: ""
      default: unexpected(column)
      }
    }

    func flag(_ column: String) -> Bool? {
      switch self[column] {
      case .flag(let flag): flag
      case .empty: nil
      default: unexpected(column)
      }
    }

    func integer(_ column: String) -> Int? {
      switch self[column] {
      case .integer(let number): Int(exactly: number)
      case .empty: nil
      default: unexpected(column)
      }
    }

    func real(_ column: String) -> Double? {
      switch self[column] {
      case .real(let number): number
      case .empty: nil
      default: unexpected(column)
      }
    }

    /// An interval whose ends stand in two columns; nil unless both are known.
    func interval(_ low: String, _ high: String) -> Interval? {
      guard let low = real(low), let high = real(high) else { return nil }
      return Interval(low, high)
    }

    /// A sum of money in millionths of the currency's unit; nil where there is none, or the sum is not one of money.
    func micros(_ column: String) -> Int128? {
      switch self[column] {
      case .micros(let micros): micros
      case .integer, .empty: nil
      default: unexpected(column)
      }
    }

    /// An exact sum in its own units, millionths where it is money; nil where there is none.
    func sum(_ column: String) -> Int128? {
      switch self[column] {
      case .micros(let sum), .integer(let sum): sum
      case .empty: nil
      default: unexpected(column)
      }
    }

    private subscript(_ column: String) -> Cell {
      guard let place = places[column] else { preconditionFailure("\(table) has no column \(column)") }
      return cells[place]
    }

    private func unexpected(_ column: String) -> Never {
      preconditionFailure("\(column) of \(table) is declared with another type")
    }
  }

  /// The rows, to be read by their columns' names.
  var namedRows: [Row] {
    let places = Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), 0...))
    return rows.map { Row(table: name, places: places, cells: $0) }
  }
}
