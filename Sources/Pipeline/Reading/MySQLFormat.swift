import CSimdjson

/// What `SELECT … INTO OUTFILE` writes: a field between separators, special bytes behind an escape, NULL as
/// the escape and `N`.
struct MySQLFormat: RecordFormat {
  private let dialect: MySQLDialect
  private let binding: ColumnBinding
  /// For each of the file's columns the field it feeds; nil until a header is read.
  private var fieldOfColumn: [Int]?
  private var awaitsHeader: Bool
  private let arena = TextArena()

  private static let lineFeed: UInt8 = 0x0a

  /// - Parameter columnOrder: the file's columns; nil where its first row names them.
  /// - Throws: `OfferliftError`, exit 78, where a column that is needed is not among them.
  init(dialect: MySQLDialect, binding: ColumnBinding, columnOrder: [String]?) throws {
    self.dialect = dialect
    self.binding = binding
    awaitsHeader = dialect.hasHeader
    fieldOfColumn = try columnOrder.map { try binding.fields(forHeader: $0) }
  }

  mutating func read(
    _ bytes: UnsafePointer<UInt8>, count: Int, isLast: Bool, into batch: RecordBatch
  ) throws -> (bytes: Int, lines: Int) {
    arena.clear()
    var at = 0
    var lines = 0
    var done = (bytes: 0, lines: 0)
    while at < count, batch.count < batch.capacity {
      if Self.isBlank(bytes, at, count) {
        at += bytes[at] == Self.lineFeed ? 1 : 2
        lines += 1
        done = (at, lines)
        continue
      }
      guard let row = readRow(bytes, at, count, isLast) else { break }
      if awaitsHeader {
        awaitsHeader = false
        if fieldOfColumn == nil { fieldOfColumn = try binding.fields(forHeader: row.fields.map(\.text)) }
      } else {
        try add(row, at: at, line: lines, bytes, to: batch)
      }
      at = row.end
      lines += row.lines
      done = (at, lines)
    }
    if isLast, at >= count { done = (count, lines) }
    return done
  }

  private static func isBlank(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Bool {
    bytes[at] == lineFeed || bytes[at] == 0x0d && at + 1 < count && bytes[at + 1] == lineFeed
  }

  private struct Row {
    var fields: [ol_field] = []
    var end = 0
    var lines = 1
    var fault: String?
    /// The row cannot be read one way only.
    var isAmbiguous = false
  }

  private func add(
    _ row: Row, at start: Int, line: Int, _ bytes: UnsafePointer<UInt8>, to batch: RecordBatch
  ) throws {
    let columns = fieldOfColumn ?? []
    if row.isAmbiguous {
      throw OfferliftError(
        .badData,
        "\(binding.file), line \(batch.firstLine + line): a field holds its own quote and the dialect has no escape, "
          + "so the row can be read in two ways; export it with ESCAPED BY '\\\\'.")
    }
    var fault = row.fault
    if fault == nil, row.fields.count != columns.count {
      fault = "the row has \(row.fields.count) fields, the job names \(columns.count) columns"
    }
    let fields = batch.fields(of: batch.count)
    fields.update(repeating: ol_field(), count: batch.width)
    for (column, field) in zip(columns, row.fields) where column >= 0 { fields[column] = field }
    var length = row.end - start
    while length > 0, bytes[start + length - 1] == Self.lineFeed { length -= 1 }
    batch.rows[batch.count] = ol_row(
      offset: UInt32(start), length: UInt32(length), line: UInt32(line),
      status: UInt32(fault == nil ? ol_row_ok : ol_row_malformed))
    if ol_is_utf8(bytes + start, length) == 0 { batch.rows[batch.count].status = UInt32(ol_row_invalid_utf8) }
    if length > longestLine { batch.rows[batch.count].status = UInt32(ol_row_too_long) }
    batch.details[batch.count] = fault
    batch.count += 1
  }

  /// The row that begins at `start`; nil where its end is not in sight.
  private func readRow(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ count: Int, _ isLast: Bool) -> Row? {
    var row = Row()
    var at = start
    while true {
      guard let end = readField(bytes, &at, count, isLast, &row) else { return nil }
      if end { break }
    }
    row.end = at
    return row
  }

  /// Reads one field; true where the row ends with it, nil where the bytes end first.
  private func readField(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ count: Int, _ isLast: Bool, _ row: inout Row
  ) -> Bool? {
    if let end = readPlainField(bytes, &at, count, &row) { return end }
    var text: [UInt8] = []
    var isNull = false
    let isEnclosed = at < count && dialect.enclosedBy != nil && bytes[at] == dialect.enclosedBy
    if isEnclosed { at += 1 }
    var isOpen = isEnclosed
    while at < count {
      let byte = bytes[at]
      if byte == dialect.escapedBy {
        guard at + 1 < count else { break }
        if bytes[at + 1] == UInt8(ascii: "N"), text.isEmpty, !isEnclosed { isNull = true }
        if bytes[at + 1] == Self.lineFeed { row.lines += 1 }
        text.append(Self.unescaped(bytes[at + 1]))
        at += 2
        continue
      }
      if isOpen, byte == dialect.enclosedBy {
        guard let isClosed = closes(bytes, at, count, isLast, &row) else { return nil }
        guard isClosed else {
          text.append(byte)
          at += bytes[at + 1] == byte ? 2 : 1
          continue
        }
        isOpen = false
        at += 1
        continue
      }
      if !isOpen, byte == dialect.terminatedBy || byte == Self.lineFeed {
        at += 1
        if byte == Self.lineFeed, text.last == 0x0d, bytes[at - 2] == 0x0d { text.removeLast() }
        append(text, isNull && text == [UInt8(ascii: "N")], isEnclosed, to: &row)
        return byte == Self.lineFeed
      }
      if byte == Self.lineFeed { row.lines += 1 }
      text.append(byte)
      at += 1
    }
    guard isLast else { return nil }
    if at < count || isOpen { row.fault = "the file ends within a field" }
    at = count
    append(text, isNull && text == [UInt8(ascii: "N")], isEnclosed, to: &row)
    return true
  }

  /// Takes a field as it stands, where nothing in it needs undoing; nil, and nothing taken, otherwise.
  private func readPlainField(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ count: Int, _ row: inout Row
  ) -> Bool? {
    guard dialect.enclosedBy == nil else { return nil }
    var end = at
    while end < count {
      let byte = bytes[end]
      if byte == dialect.escapedBy { return nil }
      if byte == dialect.terminatedBy || byte == Self.lineFeed {
        let isRowEnd = byte == Self.lineFeed
        let length = end - at - (isRowEnd && end > at && bytes[end - 1] == 0x0d ? 1 : 0)
        row.fields.append(ol_field(bytes: bytes + at, length: UInt32(length), kind: UInt32(ol_string)))
        at = end + 1
        return isRowEnd
      }
      end += 1
    }
    return nil
  }

  /// Whether the enclosing byte at `at` ends its field; nil where the bytes end before that shows. Without an
  /// escape, one that is followed by anything but a separator leaves two ways to read on.
  private func closes(
    _ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int, _ isLast: Bool, _ row: inout Row
  ) -> Bool? {
    guard at + 1 < count else { return isLast ? true : nil }
    let next = bytes[at + 1]
    if next == dialect.terminatedBy || next == Self.lineFeed { return true }
    if next == 0x0d {
      if at + 2 == count, !isLast { return nil }
      if at + 2 < count, bytes[at + 2] == Self.lineFeed { return true }
    }
    if dialect.escapedBy == nil { row.isAmbiguous = true }
    return false
  }

  private func append(_ text: [UInt8], _ isNull: Bool, _ isEnclosed: Bool, to row: inout Row) {
    // Where fields are enclosed, a bare NULL is NULL: with no escape the server writes the word.
    let isWord = dialect.enclosedBy != nil && !isEnclosed && dialect.escapedBy == nil && text == Array("NULL".utf8)
    row.fields.append(
      ol_field(
        bytes: UnsafePointer(arena.copy(text)), length: UInt32(text.count),
        kind: UInt32(isNull || isWord ? ol_null : ol_string)))
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
