import Jobs

/// Cuts one row, and its fields, out of the bytes of an `INTO OUTFILE` in one dialect with one line end.
///
/// What a writer puts behind its escape: the escape itself, the first byte of the line end, NUL as `0`, and of a
/// bare field the first byte of the separator, of an enclosed one the quote. Without an escape it puts everything
/// as it is. Source: MariaDB, `select_export::send_data`; MySQL Reference Manual, "LOAD DATA Statement".
struct MySQLRowReader {
  let dialect: MySQLDialect
  let lineEnd: [UInt8]
  /// Where fields go that do not stand in the file as they are.
  let arena: TextArena
  /// The escape, or `noByte`.
  private let escape: UInt16
  let quote: UInt16
  private let separatorStart: UInt8
  let lineEndStart: UInt8

  private static let noByte: UInt16 = 256

  init(dialect: MySQLDialect, lineEnd: [UInt8], arena: TextArena) {
    self.dialect = dialect
    self.lineEnd = lineEnd
    self.arena = arena
    escape = dialect.escapedBy.map { UInt16($0) } ?? Self.noByte
    quote = dialect.enclosedBy.map { UInt16($0) } ?? Self.noByte
    separatorStart = dialect.terminatedBy.first ?? 0
    lineEndStart = lineEnd.first ?? 0
  }

  /// One row as it was read.
  struct Row {
    var fields: [Field] = []
    /// Where the next row begins.
    var end = 0
    /// Why it is no row.
    var fault: String?
    /// What in it can be read in two ways.
    var doubt: String?
    /// Fields that are the word NULL where nothing tells it from a NULL.
    var bareNulls: [Int] = []
    /// Its last byte before the line end is a carriage return that is no part of a quoted text.
    var endsInReturn = false
  }

  /// What follows a field.
  enum Stop { case field, row }

  /// The row that begins at `start`; nil where its end is not in sight.
  ///
  /// - Parameter columns: how many fields it should have, where that is known; it decides where a line break
  ///   could be the row's end or its text.
  func row(_ text: MySQLText, from start: Int, columns: Int?) -> Row? {
    var row = Row()
    var at = start
    if !dialect.linesStartingBy.isEmpty {
      guard let starts = text.has(dialect.linesStartingBy, at: at) else { return nil }
      if starts {
        at += dialect.linesStartingBy.count
      } else {
        row.fault = "the row does not begin as its dialect says"
      }
    }
    while true {
      guard let stop = field(text, &at, columns, &row) else { return nil }
      if stop == .row { break }
    }
    row.end = at
    return row
  }

  private func field(_ text: MySQLText, _ at: inout Int, _ columns: Int?, _ row: inout Row) -> Stop? {
    guard at < text.count, UInt16(text[at]) == quote else { return bareField(text, &at, &row) }
    guard escape == quote else { return quotedField(text, &at, &row) }
    guard let isNull = isDoubledNull(text, at, columns, &row) else { return nil }
    if !isNull { return doubledField(text, &at, columns, &row) }
    at += 2
    row.fields.append(.null)
    return accept(text, &at, &row)
  }

  // MARK: - Bare fields

  private func bareField(_ text: MySQLText, _ at: inout Int, _ row: inout Row) -> Stop? {
    var end = at
    while end < text.count {
      let byte = text[end]
      if UInt16(byte) == escape { return escapedField(text, &at, &row) }
      if byte == separatorStart || byte == lineEndStart {
        guard let isEnd = isStop(text, end) else { return nil }
        if isEnd { break }
      }
      end += 1
    }
    guard end < text.count || text.isLast else { return nil }
    row.endsInReturn = end > at && text[end - 1] == 0x0d
    addBare(text.bytes.slice(at..<end), to: &row)
    at = end
    return accept(text, &at, &row)
  }

  private func addBare(_ field: Text, to row: inout Row) {
    // LOAD DATA takes the bare word for a NULL where fields are enclosed, and for a text where they are not;
    // without an escape the server wrote it for both.
    let isWord = field.isEqual("NULL")
    if isWord, quote == Self.noByte, escape == Self.noByte { row.bareNulls.append(row.fields.count) }
    let isNull = isWord && quote != Self.noByte
    row.fields.append(Field(field, isNull ? .null : .string))
  }

  private func escapedField(_ text: MySQLText, _ at: inout Int, _ row: inout Row) -> Stop? {
    var field: [UInt8] = []
    let isNull = at + 1 < text.count && UInt16(text[at]) == escape && text[at + 1] == UInt8(ascii: "N")
    row.endsInReturn = false
    while at < text.count {
      let byte = text[at]
      if UInt16(byte) == escape {
        guard at + 1 < text.count else { break }
        field.append(Self.unescaped(text[at + 1]))
        row.endsInReturn = text[at + 1] == 0x0d
        at += 2
        continue
      }
      if byte == separatorStart || byte == lineEndStart {
        guard let isEnd = isStop(text, at) else { return nil }
        if isEnd { return finish(field, isNull && field.count == 1, text, &at, &row) }
      }
      row.endsInReturn = byte == 0x0d
      field.append(byte)
      at += 1
    }
    guard text.isLast else { return nil }
    if at < text.count { row.fault = "the file ends within a field" }
    at = text.count
    return finish(field, isNull && field.count == 1, text, &at, &row)
  }

  // MARK: - Enclosed fields

  private func quotedField(_ text: MySQLText, _ at: inout Int, _ row: inout Row) -> Stop? {
    let start = at + 1
    var end = start
    while end < text.count, UInt16(text[end]) != quote, UInt16(text[end]) != escape { end += 1 }
    row.endsInReturn = false
    // Most texts hold nothing special: they are taken as they stand.
    if end < text.count, UInt16(text[end]) == quote {
      guard let isEnd = isStop(text, end + 1) else { return nil }
      if isEnd {
        row.fields.append(Field(text.bytes.slice(start..<end), .string))
        at = end + 1
        return accept(text, &at, &row)
      }
    }
    var field: [UInt8] = []
    at = start
    while at < text.count {
      let byte = text[at]
      if UInt16(byte) == escape {
        guard at + 1 < text.count else { break }
        field.append(Self.unescaped(text[at + 1]))
        at += 2
      } else if UInt16(byte) == quote {
        guard let isEnd = isStop(text, at + 1) else { return nil }
        at += 1
        if isEnd { return finish(field, false, text, &at, &row) }
        field.append(byte)
        if UInt16(text[at]) == quote { at += 1 }
      } else {
        field.append(byte)
        at += 1
      }
    }
    return unfinished(field, text, &at, &row)
  }

  // MARK: - Ends

  /// Whether a field may end at `at`: at a separator, a line end or the end of the file.
  func isStop(_ text: MySQLText, _ at: Int) -> Bool? {
    guard at < text.count else { return text.isLast ? true : nil }
    guard let isLineEnd = text.has(lineEnd, at: at), let isSeparator = text.has(dialect.terminatedBy, at: at) else {
      return nil
    }
    return isLineEnd || isSeparator
  }

  /// Moves past the separator or line end at `at`, where there is one or the file ends.
  private func accept(_ text: MySQLText, _ at: inout Int, _ row: inout Row) -> Stop? {
    guard let isLineEnd = text.has(lineEnd, at: at) else { return nil }
    if isLineEnd || at >= text.count {
      at = min(at + lineEnd.count, text.count)
      return .row
    }
    let length = dialect.terminatedBy.count
    // Of `a|||b` nothing tells which two bytes are the separator, if none was escaped.
    if escape == Self.noByte, length > 1, quote == Self.noByte {
      for shift in 1..<length {
        guard let overlaps = text.has(dialect.terminatedBy, at: at + shift),
          let follows = text.has(dialect.terminatedBy, at: at + length)
        else { return nil }
        if overlaps, !follows { row.doubt = "a separator stands beside a part of one, and the dialect has no escape" }
      }
    }
    at += length
    return .field
  }

  func finish(
    _ field: [UInt8], _ isNull: Bool, _ text: MySQLText, _ at: inout Int, _ row: inout Row
  ) -> Stop? {
    row.fields.append(Field(arena.copy(field), isNull ? .null : .string))
    return accept(text, &at, &row)
  }

  func unfinished(_ field: [UInt8], _ text: MySQLText, _ at: inout Int, _ row: inout Row) -> Stop? {
    guard text.isLast else { return nil }
    row.fault = "the file ends within a field"
    at = text.count
    return finish(field, false, text, &at, &row)
  }

  /// The byte an escape stands for. Source: MySQL Reference Manual, "LOAD DATA Statement", escape sequences.
  private static func unescaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0"): 0x00
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "Z"): 0x1a
    default: byte
    }
  }
}
