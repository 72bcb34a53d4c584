import Platform

/// Writes rows of typed columns as a Parquet file: plain values, not packed, each page with its checksum.
package struct ParquetWriter {
  private let columns: [Column]
  private var pages: [PlainPage]
  private var rows = 0
  private var groups: [Group] = []
  /// Bytes of the file so far.
  private var size: Int64 = 0

  /// So many rows make a row group, unless the file ends before.
  private let rowsOfGroup: Int

  package struct Column: Sendable {
    let name: String
    let type: ColumnType

    package init(name: String, type: ColumnType) { (self.name, self.type) = (name, type) }
  }

  package enum ColumnType: Sendable {
    case text, flag, integer, real, date, instant
    /// An exact number of 38 digits, so many of them behind the point.
    case decimal(scale: Int)
  }

  package enum Value: Sendable {
    case text(String)
    case flag(Bool)
    /// A whole number; of a date the days since 1970, of an instant the milliseconds since then.
    case integer(Int64)
    case real(Double)
    /// In units of the last digit.
    case decimal(Int128)
    case null
  }

  private struct Group {
    var chunks: [(offset: Int64, size: Int64)]
    var rows: Int
  }

  package init(_ columns: [Column], rowsOfGroup: Int = 1 << 16) {
    (self.columns, self.rowsOfGroup) = (columns, rowsOfGroup)
    pages = columns.map { PlainPage($0.type) }
  }

  /// Adds a row, a value a column; what is ready to be written goes to `write`.
  ///
  /// - Throws: what `write` throws.
  package mutating func append(_ row: [Value], _ write: ([UInt8]) throws -> Void) rethrows {
    if size == 0 { try put(Footer.magic, write) }
    for (column, value) in row.enumerated() { pages[column].append(value) }
    rows += 1
    if rows == rowsOfGroup { try endGroup(write) }
  }

  /// Ends the file.
  ///
  /// - Throws: what `write` throws.
  package mutating func finish(_ write: ([UInt8]) throws -> Void) rethrows {
    if size == 0 { try put(Footer.magic, write) }
    if rows > 0 { try endGroup(write) }
    let footer = footer
    let length = (0..<4).map { UInt8(truncatingIfNeeded: footer.count >> (8 * $0)) }
    try put(footer + length + Footer.magic, write)
  }

  private mutating func put(_ bytes: [UInt8], _ write: ([UInt8]) throws -> Void) rethrows {
    try write(bytes)
    size += Int64(bytes.count)
  }

  private mutating func endGroup(_ write: ([UInt8]) throws -> Void) rethrows {
    var group = Group(chunks: [], rows: rows)
    for column in columns.indices {
      let page = pages[column].bytes(ofRows: rows)
      group.chunks.append((size, Int64(page.count)))
      try put(page, write)
      pages[column] = PlainPage(columns[column].type)
    }
    groups.append(group)
    rows = 0
  }

  /// Source: Apache Parquet, parquet.thrift, `FileMetaData`.
  private var footer: [UInt8] {
    var writer = CompactWriter()
    writer.int32(1, 1)
    writer.structures(2, [nil] + columns.map(Optional.some)) { writer, column in
      guard let column else {
        writer.text(4, "schema")
        return writer.int32(5, columns.count)
      }
      column.write(to: &writer)
    }
    writer.int64(3, groups.reduce(0) { $0 + Int64($1.rows) })
    writer.structures(4, groups) { writer, group in
      writer.structures(1, Array(zip(columns, group.chunks))) { writer, chunk in
        let (column, (offset, size)) = chunk
        writer.int64(2, 0)
        writer.structure(3) { writer in
          writer.int32(1, column.type.physical)
          writer.int32s(2, [0, 3])
          writer.texts(3, [column.name])
          writer.int32(4, 0)
          writer.int64(5, Int64(group.rows))
          writer.int64(6, size)
          writer.int64(7, size)
          writer.int64(9, offset)
        }
      }
      writer.int64(2, group.chunks.reduce(0) { $0 + $1.size })
      writer.int64(3, Int64(group.rows))
    }
    writer.text(6, "offerlift")
    writer.end()
    return writer.bytes
  }
}

extension ParquetWriter.ColumnType {
  /// As parquet.thrift numbers types.
  fileprivate var physical: Int {
    switch self {
    case .flag: 0
    case .date: 1
    case .integer, .instant: 2
    case .real: 5
    case .text: 6
    case .decimal: 7
    }
  }
}

extension ParquetWriter.Column {
  /// Source: Apache Parquet, parquet.thrift, `SchemaElement`; older readers know the converted types alone.
  fileprivate func write(to writer: inout CompactWriter) {
    writer.int32(1, type.physical)
    if case .decimal = type { writer.int32(2, 16) }
    writer.int32(3, 1)
    writer.text(4, name)
    switch type {
    case .text:
      writer.int32(6, 0)
      writer.structure(10) { $0.structure(1) { _ in } }
    case .date:
      writer.int32(6, 6)
      writer.structure(10) { $0.structure(6) { _ in } }
    case .instant:
      writer.int32(6, 9)
      writer.structure(10) { writer in
        writer.structure(8) { writer in
          writer.flag(1, true)
          writer.structure(2) { $0.structure(1) { _ in } }
        }
      }
    case .decimal(let scale):
      writer.int32(6, 5)
      writer.int32(7, scale)
      writer.int32(8, 38)
      writer.structure(10) { writer in
        writer.structure(5) { writer in
          writer.int32(1, scale)
          writer.int32(2, 38)
        }
      }
    case .flag, .integer, .real: break
    }
  }
}

/// The values of a column's row group, and which rows have one.
private struct PlainPage {
  private let type: ParquetWriter.ColumnType
  private var isThere: [Bool] = []
  private var values: [UInt8] = []
  /// Booleans so far: eight make a byte.
  private var flags = 0

  init(_ type: ParquetWriter.ColumnType) { self.type = type }

  mutating func append(_ value: ParquetWriter.Value) {
    isThere.append(add(value))
  }

  /// Adds a value; false where it is NULL, or none of the column's type.
  private mutating func add(_ value: ParquetWriter.Value) -> Bool {
    switch (type, value) {
    case (.text, .text(let text)):
      add(UInt64(text.utf8.count), bytes: 4)
      values.append(contentsOf: text.utf8)
    case (.flag, .flag(let flag)):
      if flags % 8 == 0 { values.append(0) }
      if flag { values[values.count - 1] |= 1 << UInt8(flags % 8) }
      flags += 1
    case (.date, .integer(let day)): add(UInt64(bitPattern: day), bytes: 4)
    case (.integer, .integer(let number)), (.instant, .integer(let number)): add(UInt64(bitPattern: number), bytes: 8)
    case (.real, .real(let number)): add(number.bitPattern, bytes: 8)
    case (.decimal, .decimal(let number)):
      for shift in (0..<16).reversed() { values.append(UInt8(truncatingIfNeeded: number >> Int128(8 * shift))) }
    default: return false
    }
    return true
  }

  /// The lowest byte first.
  private mutating func add(_ number: UInt64, bytes count: Int) {
    for position in 0..<count { values.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * position))) }
  }

  /// The page with its header.
  func bytes(ofRows rows: Int) -> [UInt8] {
    let levels = levels
    let body = (0..<4).map { UInt8(truncatingIfNeeded: levels.count >> (8 * $0)) } + levels + values
    var checksum = Checksum()
    checksum.update(body)
    var header = CompactWriter()
    header.int32(1, 0)
    header.int32(2, body.count)
    header.int32(3, body.count)
    header.int32(4, Int(Int32(bitPattern: checksum.crc32)))
    header.structure(5) { header in
      header.int32(1, rows)
      header.int32(2, 0)
      header.int32(3, 3)
      header.int32(4, 3)
    }
    header.end()
    return header.bytes + body
  }

  /// Which rows have a value, in packed runs of one bit a row.
  private var levels: [UInt8] {
    let groups = (isThere.count + 7) / 8
    var bytes: [UInt8] = []
    var head = groups << 1 | 1
    while head >= 0x80 {
      bytes.append(UInt8(head & 0x7f) | 0x80)
      head >>= 7
    }
    bytes.append(UInt8(head))
    for group in 0..<groups {
      var byte: UInt8 = 0
      for position in 0..<8 where group * 8 + position < isThere.count && isThere[group * 8 + position] {
        byte |= 1 << UInt8(position)
      }
      bytes.append(byte)
    }
    return bytes
  }
}
