import CZlib

/// Deflated bytes without gzip's header: zlib's own format, and deflate with no header at all.
package enum BareDeflate {
  /// With zlib's header of two bytes (RFC 1950).
  case zlib
  /// Without any (RFC 1951).
  case raw

  /// What the bytes are that a file begins with; nil where they do not unpack to text.
  package init?(_ bytes: [UInt8]) {
    guard let first = bytes.first, bytes.count > 1 else { return nil }
    // RFC 1950, section 2.2: the method, and a check of both bytes.
    let hasHeader = first & 0x0f == 8 && (Int(first) << 8 | Int(bytes[1])) % 31 == 0
    if hasHeader, Self.unpacks(bytes, windowBits: MAX_WBITS) {
      self = .zlib
    } else if Self.unpacks(bytes, windowBits: -MAX_WBITS) {
      self = .raw
    } else {
      return nil
    }
  }

  /// Whether the bytes, or as many as there are of them, unpack to some text.
  private static func unpacks(_ bytes: [UInt8], windowBits: Int32) -> Bool {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return false
    }
    defer { inflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: 1 << 14)
    var input = bytes
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return inflate(&stream, Z_SYNC_FLUSH)
      }
    }
    let text = output.prefix(output.count - Int(stream.avail_out))
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR, text.count >= 16 else { return false }
    return text.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
  }
}
