/// Three letters, packed: `USD` and `usd` are the same.
package struct Currency: BitwiseCopyable, Sendable, Hashable {
  /// 1 to 17,576; 0 is no currency.
  package let code: UInt16

  package static let none = Currency(code: 0)

  /// The US dollar: 20 · 676 + 18 · 26 + 3 letters on from AAA.
  package static let dollar = Currency(code: 1 + 20 * 676 + 18 * 26 + 3)

  /// How many there can be.
  package static let count = 26 * 26 * 26

  /// The currency of a code made before.
  package init(code: UInt16) {
    self.code = code
  }

  /// Fails unless the text is exactly three ASCII letters.
  package init?(_ text: Span<UInt8>) {
    guard text.count == 3 else { return nil }
    var code: UInt16 = 0
    for position in text.indices {
      let letter = (text[position] | 0x20) &- UInt8(ascii: "a")
      guard letter < 26 else { return nil }
      code = code * 26 + UInt16(letter)
    }
    self.code = code + 1
  }

  /// Fails unless the text is exactly three ASCII letters.
  package init?(_ text: some Sequence<UInt8>) {
    self.init(Array(text).span)
  }

  /// The three letters, capital.
  package var text: String {
    guard code > 0 else { return "" }
    let value = code - 1
    let letters = [value / 676, value / 26 % 26, value % 26].map { UInt8($0) + UInt8(ascii: "A") }
    return String(decoding: letters, as: UTF8.self)
  }
}
