import CLZ4
import CSnappy
import CZlib
import CZstd

/// How a block of bytes is packed whose unpacked size is known: a page of a column, say.
package enum BlockPacking: Sendable {
  case none, snappy, gzip, zstd, lz4

  /// The most that a byte may unpack to, so that a size that cannot be is refused before memory is taken for it.
  ///
  /// Sources: of Snappy and LZ4 what their longest copies come to, of deflate 258 bytes out of 2 bits, of zstd a block of
  /// 128 KiB out of 4 bytes.
  private var growth: Int {
    switch self {
    case .none: 1
    case .snappy: 64
    case .gzip: 1 << 11
    case .zstd: 1 << 15
    case .lz4: 1 << 8
    }
  }

  /// What a block holds; nil where it is damaged, or is not exactly `size` bytes.
  package func unpack(_ packed: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    guard size >= 0, size / growth <= packed.count + 64 else { return nil }
    if case .none = self { return packed.count == size ? Array(packed) : nil }
    var isWhole = false
    let unpacked = [UInt8](unsafeUninitializedCapacity: max(size, 1)) { output, count in
      packed.withUnsafeBufferPointer { input in isWhole = unpack(input, into: output, size: size) }
      count = isWhole ? size : 0
    }
    return isWhole ? unpacked : nil
  }

  private func unpack(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, size: Int
  ) -> Bool {
    guard let from = input.baseAddress, let to = output.baseAddress, let bytes = Int32(exactly: input.count),
      let room = Int32(exactly: size)
    else { return false }
    switch self {
    case .none: return false
    case .snappy:
      var reported = 0
      // Snappy writes as much as the block says of itself.
      guard snappy_uncompressed_length(from, input.count, &reported) == SNAPPY_OK, reported == size else {
        return false
      }
      return snappy_uncompress(from, input.count, to, &reported) == SNAPPY_OK && reported == size
    case .gzip: return Self.inflate(from, UInt32(bytes), into: to, UInt32(room))
    case .zstd: return ZSTD_decompress(to, size, from, input.count) == size
    case .lz4: return LZ4_decompress_safe(from, to, bytes, room) == room
    }
  }

  /// Unpacks gzip's members one after another; false where they are damaged or not exactly `size` bytes.
  private static func inflate(
    _ input: UnsafePointer<UInt8>, _ count: UInt32, into output: UnsafeMutablePointer<UInt8>, _ size: UInt32
  ) -> Bool {
    var stream = z_stream()
    // 16 asks for gzip's header and trailer, whose checksum zlib verifies.
    guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return false
    }
    defer { inflateEnd(&stream) }
    (stream.next_in, stream.avail_in) = (UnsafeMutablePointer(mutating: input), count)
    (stream.next_out, stream.avail_out) = (output, size)
    while true {
      guard CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END else { return false }
      if stream.avail_in == 0 { return stream.avail_out == 0 }
      guard inflateReset(&stream) == Z_OK else { return false }
    }
  }
}
