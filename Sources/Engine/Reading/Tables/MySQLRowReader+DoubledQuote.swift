/// Where the quote is the escape, too (`ENCLOSED BY '"' ESCAPED BY '"'`): what stands behind a quote tells whether
/// it ends a text, is one itself, or stands before a NUL's `0` or a line break; some rows leave that open.
extension MySQLRowReader {
  /// A text whose quote is its escape, too.
  func doubledField(_ text: MySQLText, _ at: inout Int, _ columns: Int?, _ row: inout Row) -> Stop? {
    var field: [UInt8] = []
    at += 1
    row.endsInReturn = false
    while at < text.count {
      guard UInt16(text[at]) == quote else {
        field.append(text[at])
        at += 1
        continue
      }
      guard let isEnd = isStop(text, at + 1) else { return nil }
      if isEnd {
        guard let isText = isLineBreakText(text, at + 1, columns, &row) else { return nil }
        if !isText {
          at += 1
          return finish(field, false, text, &at, &row)
        }
      } else if !isDoubledEscape(text[at + 1]) {
        row.fault = "a quote within a field is not doubled"
      }
      field.append(text[at + 1] == UInt8(ascii: "0") ? 0 : text[at + 1])
      at += 2
    }
    return unfinished(field, text, &at, &row)
  }

  /// Whether a line end behind a quote that is the escape, too, is part of the text: it was written so where the
  /// text holds a line break, and where the row ends with the text.
  private func isLineBreakText(_ text: MySQLText, _ at: Int, _ columns: Int?, _ row: inout Row) -> Bool? {
    guard at < text.count, let isLineEnd = text.has(lineEnd, at: at) else { return at < text.count ? nil : false }
    guard isLineEnd, let columns else { return false }
    if row.fields.count + 1 < columns { return true }
    guard let goesOn = isDoubledText(text, from: at + 1, isLastColumn: true) else { return nil }
    let next = at + lineEnd.count
    guard goesOn else { return false }
    if !dialect.isOptional, next < text.count, UInt16(text[next]) != quote { return true }
    row.doubt = "a line ends behind a quote, which is the escape, too"
    return false
  }

  /// Whether a NULL stands at `at`: the escape and `N`, which a text may begin with, too.
  func isDoubledNull(_ text: MySQLText, _ at: Int, _ columns: Int?, _ row: inout Row) -> Bool? {
    guard at + 1 < text.count else { return text.isLast ? false : nil }
    guard text[at + 1] == UInt8(ascii: "N") else { return false }
    let isLastColumn = row.fields.count + 1 == columns
    guard let isEnd = isStop(text, at + 2),
      let isText = isDoubledText(text, from: at + 1, isLastColumn: isLastColumn)
    else { return nil }
    if isEnd, isText { row.doubt = "a field is NULL, or a text that begins with N" }
    return isEnd
  }

  /// Whether the bytes from `start` on are the rest of a text as the server writes it, up to its closing quote.
  private func isDoubledText(_ text: MySQLText, from start: Int, isLastColumn: Bool) -> Bool? {
    var at = start
    while at < text.count {
      guard UInt16(text[at]) == quote else {
        // Within a text the server writes a line break behind an escape only.
        if text[at] == lineEndStart { return false }
        at += 1
        continue
      }
      let end = isLastColumn ? lineEnd : dialect.terminatedBy
      guard let isEnd = text.has(end, at: at + 1) else { return nil }
      if isEnd || at + 1 == text.count { return true }
      guard isDoubledEscape(text[at + 1]) else { return false }
      at += 2
    }
    return text.isLast ? false : nil
  }

  private func isDoubledEscape(_ byte: UInt8) -> Bool {
    UInt16(byte) == quote || byte == UInt8(ascii: "0") || byte == lineEndStart
  }
}
