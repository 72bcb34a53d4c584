@testable import Platform

/// Gzip members put together by hand. Source: RFC 1952.
enum Gzip {
  /// One member, as most programs write it.
  static func member(_ bytes: some Sequence<UInt8>) -> [UInt8] { GzipWriter.pack(Array(bytes)) }

  /// The fields that may stand in a header, by their flag.
  struct Header {
    var isText = false
    var extra: [UInt8]?
    var name: String?
    var comment: String?
    /// The header's own checksum stands behind it.
    var checksum = false
  }

  /// One member whose header holds what is asked for.
  static func member(_ bytes: some Sequence<UInt8>, header: Header) -> [UInt8] {
    let plain = member(bytes)
    var packed: [UInt8] = [0x1f, 0x8b, 8, 0, 0x12, 0x34, 0x56, 0x78, 0, 3]
    if header.isText { packed[3] |= 1 }
    if let extra = header.extra {
      packed[3] |= 4
      packed += [UInt8(extra.count & 0xff), UInt8(extra.count >> 8)] + extra
    }
    if let name = header.name {
      packed[3] |= 8
      packed += Array(name.utf8) + [0]
    }
    if let comment = header.comment {
      packed[3] |= 16
      packed += Array(comment.utf8) + [0]
    }
    if header.checksum {
      packed[3] |= 2
      var checksum = Checksum()
      checksum.update(packed.span.bytes)
      packed += [UInt8(checksum.crc32 & 0xff), UInt8(checksum.crc32 >> 8 & 0xff)]
    }
    return packed + plain.dropFirst(10)
  }
}
