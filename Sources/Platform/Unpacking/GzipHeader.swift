/// What a gzip member begins with. Source: RFC 1952, section 2.3.
enum GzipHeader {
  /// Bytes before the first field that may stand in it.
  private static let fixedLength = 10

  private enum Flag {
    static let checksum: UInt8 = 1 << 1
    static let extra: UInt8 = 1 << 2
    static let name: UInt8 = 1 << 3
    static let comment: UInt8 = 1 << 4
  }

  /// In bytes; nil where `bytes`, which begin with the header, end before it does.
  static func length(of bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= fixedLength else { return nil }
    let flags = bytes[3]
    var end = fixedLength
    if flags & Flag.extra != 0 {
      guard bytes.count >= end + 2 else { return nil }
      end += 2 + (Int(bytes[end]) | Int(bytes[end + 1]) << 8)
    }
    for text in [Flag.name, Flag.comment] where flags & text != 0 {
      guard end < bytes.count, let zero = bytes[end...].firstIndex(of: 0) else { return nil }
      end = zero + 1
    }
    if flags & Flag.checksum != 0 { end += 2 }
    return end <= bytes.count ? end : nil
  }
}
