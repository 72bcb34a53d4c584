/// Hashes of bytes, by multiplication with carry folded back.
///
/// Fixed constants: a hash decides which partition a user falls into and which slot is looked at, on every
/// machine alike. Source of the folded multiply: Wang Yi, wyhash (2019).
enum ByteHash {
  /// 64 bits, for hash tables that compare the bytes themselves afterwards.
  static func hash64(_ text: Text) -> UInt64 {
    var state: UInt64 = Spread.multiplier ^ UInt64(truncatingIfNeeded: text.count)
    words(of: text) { state = fold(state ^ $0, 0xa076_1d64_78bd_642f) }
    return fold(state, 0xe703_7ed1_a0b4_28db)
  }

  /// The two halves of a full product, one upon the other.
  @inline(__always)
  static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// Calls `body` for every eight bytes, the last ones filled up with zeros.
  @inline(__always)
  static func words(of text: Text, _ body: (UInt64) -> Void) {
    let bytes = text.unsafeBytes
    guard let base = bytes.baseAddress else { return }
    let raw = UnsafeRawPointer(base)
    var at = 0
    while at + 8 <= bytes.count {
      body(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      at += 8
    }
    if at < bytes.count { body(rest(of: raw, count: bytes.count)) }
  }

  /// The bytes behind the last whole word, filled up with zeros: loaded at once, over bytes that are known already. A loop
  /// over them took as long as all words before.
  @inline(__always)
  private static func rest(of raw: UnsafeRawPointer, count: Int) -> UInt64 {
    let rest = count & 7
    if count > 8 {
      let last = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      return last >> UInt64(truncatingIfNeeded: 64 &- rest &* 8)
    }
    if rest >= 4 {
      let last = UInt64(raw.loadUnaligned(fromByteOffset: rest &- 4, as: UInt32.self))
      return UInt64(raw.loadUnaligned(as: UInt32.self)) | last << UInt64(truncatingIfNeeded: (rest &- 4) &* 8)
    }
    func byte(_ position: Int) -> UInt64 {
      UInt64(raw.load(fromByteOffset: position, as: UInt8.self)) << UInt64(truncatingIfNeeded: position &* 8)
    }
    return byte(0) | byte(rest >> 1) | byte(rest &- 1)
  }
}
