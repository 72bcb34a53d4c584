/// Keeps texts from being run as formulas by the spreadsheet they are opened with.
///
/// A `'`, which spreadsheets hide, guards a formula wherever a cell may begin: at the text's start, and behind what another
/// country's spreadsheet, or another dialect of CSV, takes for the end of a cell or a line. A text that reads like a
/// guarded one gets another, so that taking one away always gives the text back.
///
///     FormulaGuard.guarded("=1+1")      // "'=1+1"
///     FormulaGuard.guarded("x;=1+1")    // "x;'=1+1"
package enum FormulaGuard {
  private static let mark = UInt8(ascii: "'")

  /// The text as a cell shows it, with each formula guarded.
  package static func guarded(_ text: String) -> String {
    isNeeded(in: text.utf8) ? String(decoding: guarded(Array(text.utf8)), as: UTF8.self) : text
  }

  /// The bytes of a text as a cell shows it.
  package static func guarded(_ text: [UInt8]) -> [UInt8] {
    var guarded: [UInt8] = []
    forEachByte(of: text) { position, isGuarded in
      if isGuarded { guarded.append(mark) }
      guarded.append(text[position])
    }
    return guarded
  }

  /// The text that `guarded` wrote as this cell.
  package static func unguarded(_ cell: String) -> String {
    guard isNeeded(in: cell.utf8) else { return cell }
    let bytes = Array(cell.utf8)
    var text: [UInt8] = []
    forEachByte(of: bytes) { position, isGuarded in
      if !isGuarded || bytes[position] != mark { text.append(bytes[position]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether `guarded` changes the text, or it reads like a guarded one.
  package static func isNeeded(in text: some Collection<UInt8>) -> Bool {
    let first = text.drop { $0 == mark }
    if isFormula(first) || isLineOrTab(first.first) { return true }
    guard text.contains(where: endsCell) else { return false }
    return text.indices.contains { endsCell(text[$0]) && isFormula(unquoted(text[text.index(after: $0)...])) }
  }

  /// Calls `body` with each place, and whether a formula begins there.
  private static func forEachByte(of text: [UInt8], _ body: (Int, Bool) -> Void) {
    var beginsCell = false
    for position in text.indices {
      let isGuarded =
        position == 0
        ? { isFormula($0) || isLineOrTab($0.first) }(text.drop { $0 == mark })
        : beginsCell && isFormula(unquoted(text[position...]))
      body(position, isGuarded)
      beginsCell = endsCell(text[position])
    }
  }

  /// The ends of cells where semicolons, tabs or bars part them: there a quote that is not a cell's first byte holds
  /// nothing together.
  private static func endsCell(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ";") || byte == UInt8(ascii: "|") || isLineOrTab(byte)
  }

  private static func isLineOrTab(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// What begins here without its guards and quotes: an empty quoted beginning of a cell says nothing.
  private static func unquoted<Text: Collection<UInt8>>(_ text: Text) -> Text.SubSequence {
    text.drop { $0 == mark || $0 == UInt8(ascii: "\"") }
  }

  /// Whether a spreadsheet would take what begins here for a formula and run it.
  ///
  /// Source: OWASP, "CSV Injection", which lists the full-width signs beside ASCII's.
  private static func isFormula(_ text: some Collection<UInt8>) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): return true
    case 0xEF: return fullWidthSigns.contains { text.prefix(3).elementsEqual($0) }
    default: return false
    }
  }

  private static let fullWidthSigns = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map { Array($0.utf8) }
}
