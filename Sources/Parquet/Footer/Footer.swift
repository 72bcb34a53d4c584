import Platform

/// What stands at a file's end: its columns, and where their values lie.
///
/// Source: Apache Parquet, parquet.thrift, `FileMetaData`.
struct Footer {
  private(set) var elements: [SchemaElement] = []
  private(set) var rowGroups: [RowGroup] = []
  private(set) var rows: Int64 = 0

  static let magic = Array("PAR1".utf8)
  /// A file whose footer is encrypted begins and ends with this.
  static let encryptedMagic = Array("PARE".utf8)

  /// - Throws: `ParquetFault` where there is none that can be read; `OfferliftError`, exit 74.
  init(of file: RandomAccessFile) throws {
    let end = try file.read(from: max(file.size - 8, 0), count: 8)
    if end.count == 8, end.suffix(4).elementsEqual(Self.encryptedMagic) {
      throw ParquetFault.unsupported("it is encrypted; write it without encryption")
    }
    guard file.size >= 12, end.count == 8, end.suffix(4).elementsEqual(Self.magic) else {
      throw ParquetFault("the file ends without one: it is cut off, or still being written")
    }
    let length = end.prefix(4).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard length <= file.size - 12 else { throw ParquetFault("it is said to be longer than the file") }
    let bytes = try file.read(from: file.size - 8 - length, count: Int(length))
    guard bytes.count == Int(length) else { throw ParquetFault("the file has become shorter while it was read") }
    do {
      try read(bytes)
    } catch is CompactReader.Cut {
      throw ParquetFault("its description is damaged")
    }
    try account(for: file.size - 12 - length)
  }

  /// Where there is no row nothing is read, and nobody would notice that the footer is another file's.
  private func account(for bytes: Int64) throws {
    let chunks = rowGroups.flatMap(\.chunks)
    let reported = chunks.reduce(Int64(0)) { $0 &+ $1.reported }
    guard rows > 0 || bytes - reported <= Pages.missingHeader * Int64(chunks.count) else {
      throw ParquetFault("it tells of no row, and \(bytes) bytes of values stand before it")
    }
  }

  private mutating func read(_ bytes: [UInt8]) throws {
    var reader = CompactReader(bytes[...])
    try reader.forEachField { reader, number, kind in
      switch number {
      case 2: try reader.forEachStructure(kind) { elements.append(try SchemaElement(&$0)) }
      case 3: rows = try reader.int(kind)
      case 4: try reader.forEachStructure(kind) { rowGroups.append(try RowGroup(&$0)) }
      case 8: throw ParquetFault.unsupported("its columns are encrypted; write it without encryption")
      default: return false
      }
      return true
    }
    var sum: Int64 = 0
    for group in rowGroups {
      let (next, isTooLarge) = sum.addingReportingOverflow(group.rows)
      guard group.rows >= 0, !isTooLarge else { throw ParquetFault("its numbers of rows are damaged") }
      sum = next
    }
    guard sum == rows else { throw ParquetFault("it tells of \(rows) rows, and its row groups of \(sum)") }
  }
}

/// A stretch of rows, whose values lie column by column.
struct RowGroup {
  private(set) var chunks: [ColumnChunk] = []
  private(set) var rows: Int64 = 0

  init(_ reader: inout CompactReader) throws {
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: try reader.forEachStructure(kind) { chunks.append(try ColumnChunk(&$0)) }
      case 3: rows = try reader.int(kind)
      default: return false
      }
      return true
    }
  }
}

/// Where the values of one column lie that are of one row group.
struct ColumnChunk {
  /// They lie in another file.
  private(set) var isElsewhere = false
  private(set) var isEncrypted = false
  private(set) var hasMetadata = false
  private(set) var type: Int64 = -1
  private(set) var codec: Int64 = -1
  /// NULL included.
  private(set) var values: Int64 = -1
  /// Bytes of its pages, their headers included.
  private(set) var size: Int64 = -1
  private(set) var dataOffset: Int64 = -1
  private(set) var dictionaryOffset: Int64?
  /// Bytes of its pages' indexes and of its Bloom filter, which stand by themselves.
  private var besides: Int64 = 0

  init(_ reader: inout CompactReader) throws {
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: isElsewhere = try !reader.text(kind).isEmpty
      case 3:
        try reader.structure(kind)
        hasMetadata = true
        try readMetadata(&reader)
      case 5, 7: try add(reader.int(kind))
      case 8, 9:
        isEncrypted = true
        return false
      default: return false
      }
      return true
    }
  }

  private mutating func readMetadata(_ reader: inout CompactReader) throws {
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: type = try reader.int(kind)
      case 4: codec = try reader.int(kind)
      case 5: values = try reader.int(kind)
      case 7: size = try reader.int(kind)
      case 9: dataOffset = try reader.int(kind)
      case 11: dictionaryOffset = try reader.int(kind)
      case 15: try add(reader.int(kind))
      default: return false
      }
      return true
    }
  }

  private mutating func add(_ bytes: Int64) { besides = besides &+ min(max(bytes, 0), .max >> 24) }

  /// All bytes of the file that are the column's.
  fileprivate var reported: Int64 { min(max(size, 0), .max >> 24) &+ besides }

  /// Where its first page begins: that of the dictionary, where there is one. Some writers say 0 where there is none.
  var start: Int64 {
    guard let dictionaryOffset, dictionaryOffset > 0 else { return dataOffset }
    return min(dictionaryOffset, dataOffset)
  }
}
