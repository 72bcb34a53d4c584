/// Keeps spreadsheets from running what they should show.
package enum FormulaGuard {
  /// Whether a spreadsheet would take the text for a formula and run it.
  package static func isNeeded(by text: some StringProtocol) -> Bool {
    text.utf8.first.map(isNeeded) ?? false
  }

  /// Whether a spreadsheet would run a text that begins with this byte.
  static func isNeeded(by first: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"): true
    default: false
    }
  }

  /// The text as a cell shows it: a formula gets a leading `'`, which spreadsheets hide.
  package static func guarded(_ text: String) -> String { isNeeded(by: text) ? "'" + text : text }

  /// The text that `guarded` wrote as this cell.
  package static func unguarded(_ cell: String) -> String {
    cell.first == "'" && isNeeded(by: cell.dropFirst()) ? String(cell.dropFirst()) : cell
  }
}
