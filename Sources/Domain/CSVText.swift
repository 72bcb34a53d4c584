/// Cells of CSV (RFC 4180) as bytes, fit for spreadsheets: a formula is guarded, and what needs quotes has them.
///
///     CSVText.append("=1+1, \"so\"", to: &bytes)    // "'=1+1, ""so"""
package enum CSVText {
  private static let quote = UInt8(ascii: "\"")

  /// Adds a text as a cell.
  package static func append(_ text: String, to bytes: inout [UInt8]) { append(cell: text.utf8, to: &bytes) }

  /// Adds a text in UTF-8 as a cell.
  package static func append(_ text: [UInt8], to bytes: inout [UInt8]) { append(cell: text, to: &bytes) }

  /// Adds a number from 0 as a cell.
  package static func append(_ number: Int, to bytes: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  private static func append(cell: some Collection<UInt8>, to bytes: inout [UInt8]) {
    if FormulaGuard.isNeeded(in: cell) {
      append(plain: FormulaGuard.guarded(Array(cell)), to: &bytes)
    } else {
      append(plain: cell, to: &bytes)
    }
  }

  /// Adds a cell that holds no formula.
  private static func append(plain cell: some Collection<UInt8>, to bytes: inout [UInt8]) {
    guard cell.contains(where: needsQuotes) else { return bytes += cell }
    bytes.append(quote)
    for byte in cell {
      if byte == quote { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == quote || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Where the last cell of one line begins, as `append` wrote it; the line's end may be there.
  package static func startOfLastCell(of line: ArraySlice<UInt8>) -> Int {
    var isQuoted = false
    var start = line.startIndex
    for (position, byte) in zip(line.indices, line) {
      if byte == quote { isQuoted.toggle() }
      if byte == UInt8(ascii: ","), !isQuoted { start = position + 1 }
    }
    return start
  }

  /// The cells of one line, as `append` wrote them; a guard before a formula is still there.
  package static func cells(of line: ArraySlice<UInt8>) -> [[UInt8]] {
    var cells: [[UInt8]] = []
    var start = line.startIndex
    var (isQuoted, hasQuotes) = (false, false)
    for position in line.indices {
      if line[position] == quote { (isQuoted, hasQuotes) = (!isQuoted, true) }
      guard line[position] == UInt8(ascii: ","), !isQuoted else { continue }
      cells.append(hasQuotes ? unquoted(line[start..<position]) : Array(line[start..<position]))
      (start, hasQuotes) = (position + 1, false)
    }
    cells.append(hasQuotes ? unquoted(line[start...]) : Array(line[start...]))
    return cells
  }

  /// A cell without its quotes; within them two stand for one.
  private static func unquoted(_ cell: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var (isQuoted, followsQuote) = (false, false)
    for byte in cell {
      if byte != quote || !isQuoted && followsQuote { text.append(byte) }
      if byte == quote { isQuoted.toggle() }
      followsQuote = byte == quote
    }
    return text
  }
}
