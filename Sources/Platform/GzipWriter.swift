import CZlib

/// Packs bytes as gzip members whose headers hold no time and no name: the same bytes in, the same out.
package final class GzipWriter {
  /// What zlib wants; it points back at itself, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// A member has begun, and not ended.
  private var isOpen = true

  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let windowBitsForGzip: Int32 = 15 + 16
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBitsForGzip, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib refused its own defaults")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Packs `bytes` and hands packed ones to `sink` as they come; what zlib holds back comes out with a later call.
  /// Behind the end of a member another one begins.
  package func write(_ bytes: [UInt8], to sink: (ArraySlice<UInt8>) throws -> Void) throws {
    if bytes.isEmpty { return }
    isOpen = true
    try deflate(bytes, flush: Z_NO_FLUSH, to: sink)
  }

  /// Ends the member: checksum and length go out. A second call does nothing.
  package func finish(to sink: (ArraySlice<UInt8>) throws -> Void) throws {
    guard isOpen else { return }
    isOpen = false
    try deflate([], flush: Z_FINISH, to: sink)
    deflateReset(stream)
  }

  /// The whole of `bytes` as one member.
  package static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    let writer = GzipWriter()
    do {
      try writer.write(bytes) { packed += $0 }
      try writer.finish { packed += $0 }
    } catch {
      preconditionFailure("appending to an array cannot fail")
    }
    return packed
  }

  private func deflate(_ bytes: [UInt8], flush: Int32, to sink: (ArraySlice<UInt8>) throws -> Void) throws {
    var bytes = bytes
    try bytes.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        let produced = buffer.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          _ = CZlib.deflate(stream, flush)
          return output.count - Int(stream.pointee.avail_out)
        }
        if produced > 0 { try sink(buffer[..<produced]) }
      } while stream.pointee.avail_out == 0
    }
  }
}
