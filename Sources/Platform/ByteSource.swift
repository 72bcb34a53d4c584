import Foundation

/// The bytes of one file, unpacked where it is packed and in UTF-8 where they are text in UTF-16, with its size and
/// checksum as it lies on disk.
///
/// How it is packed and written is told by its first bytes, never by its name.
package final class ByteSource {
  private let packed: PackedBytes
  private let unpacker: (any Unpacker)?
  /// How the file is packed; nil where it is not.
  package let packing: Packing?
  private var encoded: UTF16Text?
  /// The first bytes, unpacked, of which nothing has been handed out; nil before they are looked at.
  private var beginning: [UInt8]?

  /// Opens `path`, which may lead into a zip archive, and looks at the first bytes. What the file holds is noted once all
  /// of it has been read.
  ///
  /// - Parameter limit: behind how many bytes the file is taken to end; nil: where it does.
  /// - Throws: `OfferliftError`, exit 66 where the file cannot be opened, 74 where it cannot be read.
  package convenience init(path: String, displayName: String, limit: Int64? = nil) throws {
    let isHashed = limit == nil && !FileDigest.isNoted(of: path)
    self.init(try PackedBytes(path: path, displayName: displayName, limit: limit, isHashed: isHashed))
  }

  /// Bytes as they come.
  ///
  /// - Parameter limit: behind how many bytes they are taken to end; nil: where they do.
  /// - Throws: what the feed throws.
  package convenience init(_ feed: any ByteFeed, displayName: String, limit: Int64? = nil) throws {
    self.init(try PackedBytes(feed, displayName: displayName, limit: limit))
  }

  private init(_ packed: PackedBytes) {
    self.packed = packed
    packing = Packing(packed.unread)
    unpacker = packing?.unpacker()
  }

  /// Bytes that are at hand, as they are.
  package init(_ bytes: [UInt8], displayName: String) {
    packed = PackedBytes(bytes, displayName: displayName)
    (packing, unpacker, beginning) = (nil, nil, [])
  }

  /// Bytes read from disk so far.
  package var bytesRead: Int64 { packed.bytesRead }
  /// How many of them have been unpacked.
  package var bytesConsumed: Int64 { packed.bytesConsumed }
  /// CRC-32 of those bytes.
  package var crc32: UInt32 { packed.crc32 }

  /// Fills `buffer` from its start with unpacked bytes; returns how many, 0 at the end of the file.
  ///
  /// - Throws: `CorruptFile` where the packed data is damaged or cut off; `OfferliftError`, exit 74.
  package func read(into buffer: inout MutableSpan<UInt8>) throws -> Int {
    try buffer.withUnsafeMutableBytes { try read(into: $0) }
  }

  /// The next unpacked bytes, at most `count` of them; none at the end of the file.
  ///
  /// - Throws: as `read(into:)`.
  package func read(upTo count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { $1 = try read(into: UnsafeMutableRawBufferPointer($0)) }
  }

  /// The text is in UTF-16, and comes in UTF-8.
  ///
  /// - Throws: as `read(into:)`.
  package var isUTF16: Bool {
    get throws {
      if beginning == nil { try begin() }
      return encoded != nil
    }
  }

  private func begin() throws {
    let bytes = try [UInt8](unsafeUninitializedCapacity: UTF16Text.markSize) {
      $1 = try unpack(into: UnsafeMutableRawBufferPointer($0))
    }
    // An archive whose list is damaged is one file, and its damage is told; one that is sound comes as it lies.
    if packing == nil, ZipArchive.isBeginning(of: bytes), let path = packed.path {
      _ = try ZipArchive(at: path, displayName: packed.displayName)
    }
    encoded = UTF16Text(bytes)
    beginning = encoded == nil ? bytes : []
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !buffer.isEmpty else { return 0 }
    if beginning == nil { try begin() }
    if let encoded {
      do { return try encoded.read(into: buffer, more: unpack) } catch is UTF16Text.OddByte {
        throw packed.corrupt("ends within a letter: it is text in UTF-16, and its bytes are odd in number")
      }
    }
    guard let first = beginning?.prefix(buffer.count), !first.isEmpty else { return try unpack(into: buffer) }
    buffer.copyBytes(from: first)
    beginning?.removeFirst(first.count)
    return try first.count + unpack(into: UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...]))
  }

  /// Fills `buffer` from its start with unpacked bytes, whatever text they are.
  private func unpack(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !buffer.isEmpty else { return 0 }
    return try unpacker.map { try $0.unpack(packed, into: buffer) } ?? copy(into: buffer)
  }

  private func copy(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if packed.unread.isEmpty { try packed.refill() }
    let count = min(buffer.count, packed.unread.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: packed.unread.prefix(count)))
    packed.accept(count)
    return count
  }

  /// Reads the rest of the file for its size and checksum alone.
  package func drain() throws { try packed.drain() }
}

/// The system's words for `errno`.
func systemMessage(_ code: Int32 = errno) -> String {
  String(cString: strerror(code))
}
