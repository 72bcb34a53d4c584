import Analysis
import Domain
import Engine

/// A result table as the report reads it, by the names of its columns: the same whether it comes from a run at
/// hand or from the CSV file of an earlier one.
package struct ReportTable: Sendable {
  package let columns: [String]
  private let cells: [[String]]

  /// One line of a table.
  package struct Row: Sendable {
    fileprivate let places: [String: Int]
    fileprivate let cells: [String]

    /// The cell's text; empty where it, or the column, is not there.
    package subscript(_ column: String) -> String { places[column].map { cells[$0] } ?? "" }

    /// The cell as a number; nil where it holds none.
    package func number(_ column: String) -> Double? { Double(self[column]) }

    func isTrue(_ column: String) -> Bool { self[column] == "true" }
  }

  /// A table of a run at hand.
  init(_ table: Table) {
    columns = table.columns.map(\.name)
    cells = table.rows.map { $0.map(Self.text) }
  }

  /// A table as `CSVExporter` wrote it. A line of another width than the header's is left out.
  ///
  /// - Throws: `CSVRecords.UnfinishedQuote`.
  init(csv bytes: [UInt8]) throws {
    let records = try CSVRecords.parse(bytes, delimiter: UInt8(ascii: ","))
    columns = records.first?.fields ?? []
    let width = columns.count
    cells = records.dropFirst().map { $0.fields.map(FormulaGuard.unguarded) }.filter { $0.count == width }
  }

  /// An empty table.
  init() {
    columns = []
    cells = []
  }

  package var rows: [Row] {
    let places = Dictionary(zip(columns, 0...), uniquingKeysWith: { first, _ in first })
    return cells.map { Row(places: places, cells: $0) }
  }

  private static func text(_ cell: Table.Cell) -> String {
    switch cell {
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number): number.description
    case .real(let number): NumberText.real(number)
    case .micros(let micros): NumberText.micros(micros)
    case .empty: ""
    }
  }
}
