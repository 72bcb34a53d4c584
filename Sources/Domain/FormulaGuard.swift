/// Keeps texts from being run as formulas by the spreadsheet they are opened with.
///
/// A leading `'`, which spreadsheets hide, guards a formula. A text that reads like a guarded one gets another, so that
/// taking one away from such a cell always gives the text back.
package enum FormulaGuard {
  /// Whether a spreadsheet would take the text for a formula and run it, or for a guarded one.
  ///
  /// Source: OWASP, "CSV Injection": a line end before the sign changes nothing.
  package static func isNeeded(by text: some Sequence<UInt8>) -> Bool {
    switch text.first(where: { $0 != UInt8(ascii: "'") }) {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
      UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      true
    default: false
    }
  }

  /// The text as a cell shows it: a formula gets a leading `'`.
  package static func guarded(_ text: String) -> String { isNeeded(by: text.utf8) ? "'" + text : text }

  /// The text that `guarded` wrote as this cell.
  package static func unguarded(_ cell: String) -> String {
    cell.utf8.first == UInt8(ascii: "'") && isNeeded(by: cell.utf8)
      ? String(decoding: cell.utf8.dropFirst(), as: UTF8.self) : cell
  }
}
