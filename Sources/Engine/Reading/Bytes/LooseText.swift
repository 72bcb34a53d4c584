/// Text of which letter case and percent-encoding do not matter.
package enum LooseText {
  /// How often one byte may be encoded: a link within a link.
  private static let depth = 2
  /// So many bytes may stand for one.
  package static let longestByte = 1 + 2 * depth

  /// The text without percent-encoding, A to Z as small letters. Source: RFC 3986, section 2.1.
  package static func plain(_ text: [UInt8]) -> [UInt8] {
    var plain = text
    for _ in 0..<depth where plain.contains(UInt8(ascii: "%")) { plain = decoded(plain) }
    return plain.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      else {
        result.append(byte)
        continue
      }
      result.append(high << 4 | low)
      rest = rest.dropFirst(2)
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
