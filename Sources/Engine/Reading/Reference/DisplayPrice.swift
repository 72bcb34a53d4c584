import Domain

/// The number in a price that was written for people, or by a server: `$7.99`, `1.999,00 €`, `￥1,200`, `7.99`, `7.9900`.
package enum DisplayPrice {
  /// Micros of whatever currency it is in; nil where no number can be made out.
  ///
  /// The last `.` or `,` parts thousands where three digits follow it, which are no fraction of the currency; else it is
  /// the decimal point. Every other one parts thousands.
  package static func micros(_ text: String, decimals: Int = 2) -> Int64? {
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: isDigit), let last = bytes.lastIndex(where: isDigit) else { return nil }
    let number = bytes[first...last]
    guard number.allSatisfy({ isDigit($0) || isSeparator($0) || $0 == UInt8(ascii: " ") }) else { return nil }
    var point = number.endIndex
    if let separator = number.lastIndex(where: isSeparator), number.endIndex - separator - 1 != 3 || decimals == 3 {
      point = separator
    }
    var plain = number[..<point].filter(isDigit)
    if point < number.endIndex { plain += [UInt8(ascii: ".")] + number[(point + 1)...].filter(isDigit) }
    return try? DecimalText.parse(plain.span, decimals: 6)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") }
}
