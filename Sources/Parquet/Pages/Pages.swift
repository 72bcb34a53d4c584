import Platform

/// The pages of a column's chunk, one after another, unpacked.
struct Pages {
  private let file: RandomAccessFile
  private let packing: BlockPacking
  /// Where the next page begins, and where the chunk ends at the latest.
  private var position: Int64
  private let end: Int64
  /// A stretch of the file from `windowStart` on.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  /// Page headers hold the least and the greatest value, which may be long.
  private static let longestHeader = 1 << 24
  private static let windowSize = 1 << 16
  /// Some writers leave out the dictionary's header when they add up a chunk's size.
  static let missingHeader: Int64 = 128

  /// A page that holds values.
  struct Page {
    let header: PageHeader
    /// Unpacked; of a page of the second kind levels stand before it by themselves.
    let bytes: [UInt8]
    var levels: ArraySlice<UInt8> = []
  }

  /// - Throws: `ParquetFault` where the chunk is of a kind that is not read, or cannot lie where it is said to.
  init(_ chunk: ColumnChunk, of file: RandomAccessFile) throws {
    self.file = file
    guard !chunk.isElsewhere else {
      throw ParquetFault.unsupported(
        "its values lie in another file, as those of a _metadata file do; name the files it lists")
    }
    guard !chunk.isEncrypted else { throw ParquetFault.unsupported("it is encrypted; write it without encryption") }
    packing = try Self.packing(chunk.codec)
    position = chunk.start
    guard chunk.hasMetadata, position >= 4, chunk.size >= 0, chunk.size <= file.size, position <= file.size - chunk.size
    else {
      throw ParquetFault("its values are said to lie where the file has none")
    }
    end = min(position + chunk.size + Self.missingHeader, file.size)
  }

  private static func packing(_ codec: Int64) throws -> BlockPacking {
    func refused(_ name: String) -> ParquetFault {
      .unsupported("it is packed with \(name), which is not read; write it with zstd or Snappy")
    }
    switch codec {
    case 0: return .none
    case 1: return .snappy
    case 2: return .gzip
    case 3: throw refused("LZO")
    case 4: throw refused("Brotli")
    case 5: throw refused("Hadoop's LZ4 (LZ4, not LZ4_RAW)")
    case 6: return .zstd
    case 7: return .lz4
    default: throw ParquetFault("it is packed in no way that is known")
    }
  }

  /// The next page that holds values or a dictionary; nil behind the last.
  mutating func next() throws -> Page? {
    while position < end {
      let (header, length) = try readHeader()
      let body = position + Int64(length)
      guard Int64(header.packedSize) <= end - body else { throw ParquetFault("a page goes on beyond the column's end") }
      position = body + Int64(header.packedSize)
      if header.kind == .index { continue }
      return try page(header, try bytes(from: body, count: header.packedSize))
    }
    return nil
  }

  private mutating func readHeader() throws -> (header: PageHeader, length: Int) {
    var size = 1 << 9
    while true {
      let part = try bytes(from: position, count: Int(min(Int64(size), end - position)))
      var reader = CompactReader(part)
      do {
        let header = try PageHeader(&reader)
        return (header, reader.at - part.startIndex)
      } catch is CompactReader.Cut {
        guard part.count == size, size < Self.longestHeader else { throw ParquetFault("a page's header is damaged") }
        size *= 8
      }
    }
  }

  /// Bytes of the file, as many as there are.
  private mutating func bytes(from start: Int64, count: Int) throws -> ArraySlice<UInt8> {
    if start < windowStart || start + Int64(count) > windowStart + Int64(window.count) {
      window = try file.read(from: start, count: max(count, Int(min(Int64(Self.windowSize), end - start))))
      windowStart = start
    }
    let first = Int(start - windowStart)
    return window[first..<min(first + count, window.count)]
  }

  private func page(_ header: PageHeader, _ stored: ArraySlice<UInt8>) throws -> Page {
    guard stored.count == header.packedSize else { throw ParquetFault("the file ends in the middle of a page") }
    if let checksum = header.checksum {
      var found = Checksum()
      found.update(stored.span.bytes)
      guard found.crc32 == checksum else { throw ParquetFault("a page's checksum does not match") }
    }
    let levels = header.kind == .dataV2 ? header.repetitionSize + header.definitionSize : 0
    guard levels <= stored.count, levels <= header.size else { throw ParquetFault("a page's levels are damaged") }
    let packing = header.kind == .dataV2 && !header.isPacked ? BlockPacking.none : self.packing
    let (values, size) = (stored.dropFirst(levels), header.size - levels)
    // Where there is no value, some writers pack nothing, and others not even that.
    guard let bytes = size == 0 && values.isEmpty ? [] : packing.unpack(values, size: size) else {
      throw ParquetFault("a page cannot be unpacked")
    }
    return Page(header: header, bytes: bytes, levels: stored.prefix(levels))
  }
}
