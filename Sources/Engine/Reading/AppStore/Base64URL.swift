/// Base 64 with the alphabet for URLs and without padding, as signatures use it. Source: RFC 4648, section 5;
/// RFC 7515, section 2.
enum Base64URL {
  /// Bytes that a text of `count` characters decodes to, at most.
  static func decodedCount(_ count: Int) -> Int { count / 4 * 3 + 2 }

  /// Decodes a text to `output`, which has room for `decodedCount` bytes.
  ///
  /// Returns false for a text that no encoder makes: a foreign character, padding, one character over, or bits
  /// behind the last byte that are not zero.
  static func decode(_ text: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Bool {
    guard text.count % 4 != 1 else { return false }
    var (bits, width) = (UInt32(0), UInt32(0))
    for place in text.indices {
      let value = value(of: text[place])
      guard value < 64 else { return false }
      bits = bits << 6 | UInt32(value)
      width += 6
      if width >= 8 {
        width -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> width))
      }
    }
    return bits & ((1 << width) - 1) == 0
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
