/// What stands before a page.
///
/// Source: Apache Parquet, parquet.thrift, `PageHeader`.
struct PageHeader {
  private(set) var kind: Kind?
  /// Bytes of the page as it is stored, and unpacked.
  private(set) var packedSize = 0
  private(set) var size = 0
  /// CRC-32 of the page as it is stored; nil where the file has none.
  private(set) var checksum: UInt32?
  /// NULL included.
  private(set) var values = 0
  private(set) var encoding: Int64 = -1
  private(set) var definitionEncoding: Int64 = 3
  private(set) var repetitionEncoding: Int64 = 3
  /// Of pages of the second kind: bytes of levels, which stand before the values and are never packed.
  private(set) var definitionSize = 0
  private(set) var repetitionSize = 0
  private(set) var isPacked = true

  enum Kind: Int64 {
    case data = 0
    case index, dictionary, dataV2
  }

  init(_ reader: inout CompactReader) throws {
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: self.kind = Kind(rawValue: try reader.int(kind))
      case 2: size = try Self.size(reader.int(kind))
      case 3: packedSize = try Self.size(reader.int(kind))
      case 4: checksum = UInt32(truncatingIfNeeded: try reader.int(kind))
      case 5: try readData(&reader, kind)
      case 7: try readDictionary(&reader, kind)
      case 8: try readDataV2(&reader, kind)
      default: return false
      }
      return true
    }
    guard self.kind != nil else { throw ParquetFault("a page is of no kind that is known") }
  }

  private static func size(_ value: Int64) throws -> Int {
    guard (0...Int64(Int32.max)).contains(value) else { throw ParquetFault("a page's length is damaged") }
    return Int(value)
  }

  private mutating func readData(_ reader: inout CompactReader, _ kind: CompactReader.Kind) throws {
    try reader.structure(kind)
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: values = try Self.size(reader.int(kind))
      case 2: encoding = try reader.int(kind)
      case 3: definitionEncoding = try reader.int(kind)
      case 4: repetitionEncoding = try reader.int(kind)
      default: return false
      }
      return true
    }
  }

  private mutating func readDictionary(_ reader: inout CompactReader, _ kind: CompactReader.Kind) throws {
    try reader.structure(kind)
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: values = try Self.size(reader.int(kind))
      case 2: encoding = try reader.int(kind)
      default: return false
      }
      return true
    }
  }

  private mutating func readDataV2(_ reader: inout CompactReader, _ kind: CompactReader.Kind) throws {
    try reader.structure(kind)
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: values = try Self.size(reader.int(kind))
      case 4: encoding = try reader.int(kind)
      case 5: definitionSize = try Self.size(reader.int(kind))
      case 6: repetitionSize = try Self.size(reader.int(kind))
      case 7: isPacked = try reader.flag(kind)
      default: return false
      }
      return true
    }
  }
}
