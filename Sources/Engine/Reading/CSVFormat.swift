import CSimdjson
import Domain

/// RFC 4180: quoted fields may hold delimiters, doubled quotes and line breaks; columns are bound by the header.
///
/// An empty field, quoted or not, counts as missing: CSV has no other NULL.
struct CSVFormat: RecordFormat {
  private let binding: ColumnBinding
  /// Known from the job, or told from the header.
  private var delimiter: UInt8?
  /// For each of the file's columns the field it feeds; nil until the header is read.
  private var fieldOfColumn: [Int32]?
  /// The header's columns that feed no field.
  private(set) var unusedColumns: [String] = []
  private let arena = TextArena()

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed: UInt8 = 0x0a
  private static let carriageReturn: UInt8 = 0x0d

  init(binding: ColumnBinding, delimiter: UInt8?) {
    self.binding = binding
    self.delimiter = delimiter
  }

  mutating func read(
    _ bytes: UnsafePointer<UInt8>, count: Int, isLast: Bool, into batch: RecordBatch
  ) throws -> (bytes: Int, lines: Int) {
    var cursor = Cursor(bytes: bytes, count: count, isLast: isLast)
    if fieldOfColumn == nil {
      guard try readHeader(&cursor) else { return (cursor.rowStart, cursor.linesBeforeRow) }
    }
    arena.clear()
    readRows(&cursor, into: batch)
    return (cursor.rowStart, cursor.linesBeforeRow)
  }

  /// Where the tokenizer stands, and where the row it is in began.
  private struct Cursor {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    let isLast: Bool
    var at = 0
    var line = 0
    var rowStart = 0
    var linesBeforeRow = 0

    /// Takes the row just read for done.
    mutating func finishRow() {
      rowStart = at
      linesBeforeRow = line
    }

    /// Goes back to the start of the row.
    mutating func abandonRow() {
      at = rowStart
      line = linesBeforeRow
    }
  }

  /// What ended a field.
  private enum FieldEnd {
    case delimiter
    case row
    /// The bytes ended before the field did.
    case cut
    /// Text behind a closing quote.
    case damaged
  }

  private mutating func readHeader(_ cursor: inout Cursor) throws -> Bool {
    guard skipBlankLines(&cursor) else { return false }
    let delimiter = self.delimiter ?? Self.sniff(cursor)
    var names: [String] = []
    var field = ol_field()
    while true {
      switch readField(&cursor, &field, delimiter) {
      case .delimiter: names.append(field.text)
      case .row:
        names.append(field.text)
        // Only a whole header tells the delimiter.
        self.delimiter = delimiter
        let fields = try binding.fields(forHeader: names)
        fieldOfColumn = fields.map(Int32.init)
        unusedColumns = zip(names, fields).filter { $0.1 < 0 }.map(\.0)
        cursor.finishRow()
        return true
      case .cut where !cursor.isLast:
        cursor.abandonRow()
        return false
      case .cut, .damaged:
        throw OfferliftError(.badData, "\(binding.file), line 1: the header is not CSV; check its quotes.")
      }
    }
  }

  /// Among `,` `;` and tab the one that stands most often in the header outside quotes; `,` when none does.
  private static func sniff(_ cursor: Cursor) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for at in cursor.at..<cursor.count {
      let byte = cursor.bytes[at]
      if byte == lineFeed && !isQuoted { break }
      if byte == quote { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
  }

  /// Moves to the next row's first byte; false where the bytes end first.
  private func skipBlankLines(_ cursor: inout Cursor) -> Bool {
    while cursor.at < cursor.count {
      var end = cursor.at
      while end < cursor.count, cursor.bytes[end] == 0x20 || cursor.bytes[end] == Self.carriageReturn { end += 1 }
      if end == cursor.count {
        if cursor.isLast { cursor.at = end; cursor.finishRow() }
        return false
      }
      guard cursor.bytes[end] == Self.lineFeed else { return true }
      cursor.at = end + 1
      cursor.line += 1
      cursor.finishRow()
    }
    return false
  }

  private func readRows(_ cursor: inout Cursor, into batch: RecordBatch) {
    let delimiter = delimiter!
    let columns = fieldOfColumn!
    columns.withUnsafeBufferPointer { columns in
      while batch.count < batch.capacity, skipBlankLines(&cursor) {
        guard readRow(&cursor, columns, delimiter, into: batch) else { break }
        cursor.finishRow()
      }
    }
    checkEncoding(cursor, batch)
  }

  /// Reads one row; false, with the cursor back at its start, where its end is not in sight.
  private func readRow(
    _ cursor: inout Cursor, _ columns: UnsafeBufferPointer<Int32>, _ delimiter: UInt8, into batch: RecordBatch
  ) -> Bool {
    let fields = batch.fields(of: batch.count)
    fields.update(repeating: ol_field(), count: batch.width)
    var column = 0
    var field = ol_field()
    while true {
      let end = readField(&cursor, &field, delimiter)
      if end == .cut || end == .damaged {
        guard end == .damaged || cursor.isLast else {
          cursor.abandonRow()
          return false
        }
        guard abandonToLineEnd(&cursor) else {
          cursor.abandonRow()
          return false
        }
        finish(cursor, batch, fault: "a quote is not closed, or text stands behind a closing quote")
        return true
      }
      if column < columns.count, columns[column] >= 0 { fields[Int(columns[column])] = field }
      column += 1
      guard end == .row else { continue }
      let fault =
        column == columns.count ? nil : "the row has \(column) fields, the header \(columns.count)"
      finish(cursor, batch, fault: fault)
      return true
    }
  }

  /// A row that makes no sense ends with its first line: what follows may be sound. False where the line's end
  /// is not in sight.
  private func abandonToLineEnd(_ cursor: inout Cursor) -> Bool {
    cursor.abandonRow()
    while cursor.at < cursor.count, cursor.bytes[cursor.at] != Self.lineFeed { cursor.at += 1 }
    guard cursor.at < cursor.count || cursor.isLast else { return false }
    if cursor.at < cursor.count { cursor.at += 1 }
    cursor.line += 1
    return true
  }

  private func finish(_ cursor: Cursor, _ batch: RecordBatch, fault: String?) {
    var length = cursor.at - cursor.rowStart
    while length > 0, isLineEnd(cursor.bytes[cursor.rowStart + length - 1]) { length -= 1 }
    batch.rows[batch.count] = ol_row(
      offset: UInt32(cursor.rowStart), length: UInt32(length), line: UInt32(cursor.linesBeforeRow),
      status: UInt32(fault == nil ? ol_row_ok : ol_row_malformed))
    if length > longestLine { batch.rows[batch.count].status = UInt32(ol_row_too_long) }
    batch.details[batch.count] = fault
    batch.count += 1
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == Self.lineFeed || byte == Self.carriageReturn }

  /// Reads one field and what ends it; the cursor stands behind that.
  @inline(__always)
  private func readField(_ cursor: inout Cursor, _ field: inout ol_field, _ delimiter: UInt8) -> FieldEnd {
    if cursor.at < cursor.count, cursor.bytes[cursor.at] == Self.quote {
      return readQuoted(&cursor, &field, delimiter)
    }
    let start = cursor.at
    var at = start
    while at < cursor.count, cursor.bytes[at] != delimiter, cursor.bytes[at] != Self.lineFeed { at += 1 }
    cursor.at = at
    if at == cursor.count, !cursor.isLast { return .cut }
    let isRowEnd = at == cursor.count || cursor.bytes[at] == Self.lineFeed
    var end = at
    if isRowEnd, end > start, cursor.bytes[end - 1] == Self.carriageReturn { end -= 1 }
    set(&field, cursor.bytes + start, end - start)
    return endField(&cursor, isRowEnd)
  }

  private func endField(_ cursor: inout Cursor, _ isRowEnd: Bool) -> FieldEnd {
    if cursor.at < cursor.count { cursor.at += 1 }
    if isRowEnd { cursor.line += 1 }
    return isRowEnd ? .row : .delimiter
  }

  private func readQuoted(_ cursor: inout Cursor, _ field: inout ol_field, _ delimiter: UInt8) -> FieldEnd {
    let start = cursor.at + 1
    var at = start
    var doubled = 0
    while at < cursor.count {
      let byte = cursor.bytes[at]
      if byte == Self.lineFeed { cursor.line += 1 }
      if byte == Self.quote {
        guard at + 1 < cursor.count, cursor.bytes[at + 1] == Self.quote else { break }
        doubled += 1
        at += 1
      }
      at += 1
    }
    cursor.at = at
    // A quote in the last byte may be the first half of a doubled one.
    if at >= cursor.count || at + 1 == cursor.count && !cursor.isLast { return .cut }
    undouble(&field, cursor.bytes + start, at - start, doubled)
    return endQuoted(&cursor, delimiter)
  }

  /// The cursor stands on the closing quote.
  private func endQuoted(_ cursor: inout Cursor, _ delimiter: UInt8) -> FieldEnd {
    cursor.at += 1
    if cursor.at < cursor.count, cursor.bytes[cursor.at] == Self.carriageReturn,
      cursor.at + 1 == cursor.count || cursor.bytes[cursor.at + 1] == Self.lineFeed
    {
      if cursor.at + 1 == cursor.count, !cursor.isLast { return .cut }
      cursor.at += 1
    }
    guard cursor.at < cursor.count else { return endField(&cursor, true) }
    let byte = cursor.bytes[cursor.at]
    guard byte == delimiter || byte == Self.lineFeed else { return .damaged }
    return endField(&cursor, byte == Self.lineFeed)
  }

  private func undouble(
    _ field: inout ol_field, _ start: UnsafePointer<UInt8>, _ count: Int, _ doubled: Int
  ) {
    guard doubled > 0 else { return set(&field, start, count) }
    let place = arena.reserve(count - doubled)
    var to = 0
    var from = 0
    while from < count {
      if start[from] == Self.quote { from += 1 }
      place[to] = start[from]
      to += 1
      from += 1
    }
    set(&field, UnsafePointer(place), to)
  }

  @inline(__always)
  private func set(_ field: inout ol_field, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    field = ol_field(bytes: bytes, length: UInt32(count), kind: UInt32(count == 0 ? ol_null : ol_string))
  }

  /// One look at the whole batch; a look at each row only where that fails.
  private func checkEncoding(_ cursor: Cursor, _ batch: RecordBatch) {
    guard ol_is_utf8(cursor.bytes, cursor.rowStart) == 0 else { return }
    for row in 0..<batch.count {
      let place = batch.rows[row]
      if ol_is_utf8(cursor.bytes + Int(place.offset), Int(place.length)) == 0 {
        batch.rows[row].status = UInt32(ol_row_invalid_utf8)
      }
    }
  }
}
