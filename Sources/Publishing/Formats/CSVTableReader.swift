import Domain
import Measurement
import Platform

/// Reads a table back from the CSV file that `CSVExporter` wrote of it.
enum CSVTableReader {
  /// The table, with exactly the columns it is declared with: one that the file of an older version lacks is empty in
  /// every row, and so is a cell that does not hold what its column is declared to.
  ///
  /// A line of another width than the header's is left out.
  ///
  /// - Throws: `CSVRecords.UnfinishedQuote`.
  static func read(_ bytes: [UInt8], as table: any ResultTable) throws -> Table {
    let records = try CSVRecords.parse(bytes, delimiter: UInt8(ascii: ","))
    let header = records.first?.fields ?? []
    let columns = table.columns
    let positions = columns.map { column in header.firstIndex(of: column.name) }
    let rows = records.dropFirst().filter { $0.fields.count == header.count }.map { record in
      zip(columns, positions).map { column, position in
        position.map { cell(record.fields[$0], column.type) } ?? .empty
      }
    }
    return Table(name: table.name, columns: columns, rows: rows)
  }

  /// The names of the columns that a file has.
  static func header(of bytes: [UInt8]) -> Set<String> {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return Set(String(decoding: line, as: UTF8.self).split(separator: ",").map(String.init))
  }

  private static func cell(_ field: String, _ type: Table.ColumnType) -> Table.Cell {
    switch type {
    case .text, .date, .instant: field.isEmpty ? .empty : .text(FormulaGuard.unguarded(field))
    case .flag: flag(field)
    case .integer: Int128(field).map(Table.Cell.integer) ?? .empty
    case .real: Double(field).flatMap { $0.isFinite ? .real($0) : nil } ?? .empty
    case .amount, .sum:
      Int128(field).map(Table.Cell.integer) ?? NumberText.micros(of: field).map(Table.Cell.micros) ?? .empty
    }
  }

  private static func flag(_ field: String) -> Table.Cell {
    switch field {
    case "true": .flag(true)
    case "false": .flag(false)
    default: .empty
    }
  }
}
