/// Base 64 with the alphabet for URLs and without padding, as signatures use it. Source: RFC 4648, section 5;
/// RFC 7515, section 2.
enum Base64URL {
  /// Bytes that a text of `count` characters decodes to, at most.
  static func decodedCount(_ count: Int) -> Int { count / 4 * 3 + 2 }

  /// Decodes a text to `place`, which takes `decodedCount` bytes, and returns how many bytes came.
  ///
  /// Returns nil for a text that no encoder makes: a foreign character, padding, one character over, or bits
  /// behind the last byte that are not zero.
  static func decode(_ text: UnsafeBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>) -> Int? {
    guard text.count % 4 != 1 else { return nil }
    var (bits, width, count) = (UInt32(0), UInt32(0), 0)
    for character in text {
      let value = value(of: character)
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      width += 6
      if width >= 8 {
        width -= 8
        place[count] = UInt8(truncatingIfNeeded: bits >> width)
        count += 1
      }
    }
    return bits & ((1 << width) - 1) == 0 ? count : nil
  }

  /// Six bits; 64 or more for a character that stands for none.
  @inline(__always)
  private static func value(of character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: 255
    }
  }
}
