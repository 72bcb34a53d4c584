import Domain
import Measurement
import Platform

/// Writes tables as CSV: RFC 4180, UTF-8, a header, LF, `.` decimals, shortest numbers, empty = not computable.
enum CSVExporter {
  /// The whole file of `table`.
  ///
  ///     name,price
  ///     weekly,7.990000
  static func bytes(of table: Table) -> [UInt8] {
    var bytes: [UInt8] = []
    appendRow(table.columns.map { .text($0.name) }, to: &bytes)
    for row in table.rows { appendRow(row, to: &bytes) }
    return bytes
  }

  /// Writes the file of `table` piece by piece.
  static func write(_ table: Table, to file: FileWriter) throws {
    var bytes: [UInt8] = []
    appendRow(table.columns.map { .text($0.name) }, to: &bytes)
    try table.forEachRow { row in
      appendRow(row, to: &bytes)
      guard bytes.count >= pieceSize else { return }
      try file.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    try file.write(bytes)
  }

  private static let pieceSize = 1 << 16

  /// Adds one line, its end included.
  static func appendRow(_ cells: [Table.Cell], to bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func append(_ cell: Table.Cell, to bytes: inout [UInt8]) {
    switch cell {
    case .text(let text): CSVText.append(text, to: &bytes)
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): bytes += number.description.utf8
    case .real(let number): NumberText.append(real: number, to: &bytes)
    case .micros(let micros): bytes += NumberText.micros(micros).utf8
    case .empty: break
    }
  }
}
