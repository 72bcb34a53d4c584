/// How late a snapshot of a transaction is, as one number that decides ties by content and never by arrival.
enum RowVersion {
  /// 2000-01-01T00:00:00Z. Nothing was exported before.
  private static let first: Int64 = 946_684_800_000
  private static let timeBits: Int64 = 42
  private static let contentBits: Int64 = 21

  /// The time in the upper 42 bits, which hold 139 years of milliseconds, and 21 bits of what the row says.
  static func packed(milliseconds: Int64, contentOf fields: Fields) -> Int64 {
    let time = min(max(milliseconds - first, 0), (1 << timeBits) - 1)
    var content: UInt64 = 0
    for field in 0..<fields.count {
      content = Fingerprint((content, ByteHash.hash64(fields[field].text), UInt64(field)), space: 0).low
    }
    return time << contentBits | Int64(content & (1 << contentBits - 1))
  }
}
