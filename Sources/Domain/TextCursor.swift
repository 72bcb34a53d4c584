/// A place in a text that is taken apart from its beginning to its end.
struct TextCursor: ~Escapable {
  private let text: Span<UInt8>
  private var at = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, from start: Int = 0) {
    self.text = text
    at = start
  }

  var isAtEnd: Bool { at == text.count }

  /// Takes one letter; false, and nothing taken, where another one stands there.
  mutating func accept(_ letter: UInt8) -> Bool {
    guard at < text.count, text[at] == letter else { return false }
    at += 1
    return true
  }

  /// Takes a word, in any case of letters; false, and nothing taken, where another one stands there.
  mutating func accept(word lowerCase: some Collection<UInt8>) -> Bool {
    guard text.count - at >= lowerCase.count,
      lowerCase.enumerated().allSatisfy({ text[at + $0] | 0x20 == $1 })
    else { return false }
    at += lowerCase.count
    return true
  }

  mutating func skipBlanks() {
    while at < text.count, text[at] == UInt8(ascii: " ") || text[at] == UInt8(ascii: "\t") { at += 1 }
  }

  /// Takes as many digits as there are, up to the upper bound; nil, and nothing taken, where there are fewer than the
  /// lower.
  mutating func scanNumber(_ digits: ClosedRange<Int>) -> Int64? {
    let start = at
    var number: Int64 = 0
    while at < text.count, at - start < digits.upperBound, text[at] &- UInt8(ascii: "0") <= 9 {
      number = number * 10 + Int64(text[at] - UInt8(ascii: "0"))
      at += 1
    }
    if at - start >= digits.lowerBound { return number }
    at = start
    return nil
  }

  /// Takes the digits behind a point, at least one: `25` is a quarter.
  mutating func scanShare() -> Double? {
    let start = at
    var (share, weight) = (0.0, 0.1)
    while at < text.count, text[at] &- UInt8(ascii: "0") <= 9 {
      share += Double(text[at] - UInt8(ascii: "0")) * weight
      weight /= 10
      at += 1
    }
    return at > start ? share : nil
  }

  /// Takes `+02`, `+0200`, `-05:30`, `+0`: milliseconds east of UTC.
  mutating func scanOffset() -> Int64? {
    let isWest = accept(UInt8(ascii: "-"))
    guard isWest || accept(UInt8(ascii: "+")), let hours = scanNumber(1...2), hours <= 23 else { return nil }
    let hasColon = accept(UInt8(ascii: ":"))
    guard let minutes = scanNumber(2...2) ?? (hasColon ? nil : 0), minutes <= 59 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes) * 60_000
  }

  /// Whether a point or a comma stands there, and a digit behind it.
  var isAtFraction: Bool {
    at + 1 < text.count && (text[at] == UInt8(ascii: ".") || text[at] == UInt8(ascii: ","))
      && text[at + 1] &- UInt8(ascii: "0") <= 9
  }

  /// Whether a letter stands among what was taken.
  func hasScanned(_ letter: UInt8) -> Bool { (0..<at).contains { text[$0] == letter } }

  /// Passes over one letter, whatever it is.
  mutating func skip() { at += 1 }

  /// Takes up to nine digits of a second's fraction and returns its milliseconds, cut off behind the third digit.
  mutating func scanFraction() -> Int64? {
    let start = at
    guard scanNumber(1...9) != nil else { return nil }
    var milliseconds: Int64 = 0
    for (position, weight) in [100, 10, 1].enumerated() where start + position < at {
      milliseconds += Int64(text[start + position] - UInt8(ascii: "0")) * Int64(weight)
    }
    return milliseconds
  }
}
