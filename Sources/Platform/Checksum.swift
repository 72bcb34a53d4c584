import CISAL

/// CRC-32 as gzip has it: tells whether bytes are those of another day.
///
/// Source: RFC 1952, section 8.
package struct Checksum {
  /// Of all bytes so far.
  package private(set) var crc32: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { crc32 = crc32_gzip_refl(crc32, $0.baseAddress, UInt64($0.count)) }
  }

  package mutating func update(_ bytes: [UInt8]) {
    update(bytes.span.bytes)
  }
}
