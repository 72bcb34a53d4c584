/// A decimal text read exactly: `digits · 10^−places`, with places ≥ 0 and as few as possible.
struct SumDecimal {
  let digits: ExactInteger
  let positions: Int

  private static let limit = 400

  /// Reads an optional text; absent or empty counts as 0.
  init(_ text: String?, _ field: SumField) throws(SumsError) {
    try self.init(text.flatMap { $0.isEmpty ? nil : $0 } ?? "0", field)
  }

  /// Reads a text like `-12.345e-6`.
  init(_ text: String, _ field: SumField) throws(SumsError) {
    var reader = Reader(text)
    guard let parts = reader.read() else { throw .notANumber(field, text: text) }
    guard parts.digits.count <= Self.limit, abs(parts.exponent) <= Self.limit else {
      throw .outOfRange(field, text: text)
    }
    var significant = parts.digits[...]
    var exponent = parts.exponent
    while significant.count > 1, significant.last == 0 {
      significant.removeLast()
      exponent += 1
    }
    var value = ExactInteger.zero
    for digit in significant { value = value * .small(10) + .small(Int128(digit)) }
    if value == .zero { exponent = 0 }
    if exponent > 0 { value = value * .powerOfTen(exponent) }
    digits = parts.isNegative ? -value : value
    positions = max(0, -exponent)
  }

  /// The digits when the number is written with `places` decimals, at least as many as it has.
  func shifted(to positions: Int) -> ExactInteger {
    digits * .powerOfTen(positions - self.positions)
  }

  /// Takes a number's text apart without deciding on its size.
  private struct Reader {
    struct Parts {
      var isNegative = false
      var digits: [UInt8] = []
      var exponent = 0
    }

    private var bytes: ArraySlice<UInt8>

    init(_ text: String) {
      bytes = Array(text.utf8)[...]
      while let first = bytes.first, first == UInt8(ascii: " ") { bytes.removeFirst() }
      while let last = bytes.last, last == UInt8(ascii: " ") { bytes.removeLast() }
    }

    mutating func read() -> Parts? {
      var parts = Parts()
      parts.isNegative = readSign()
      parts.digits = readDigits()
      if bytes.first == UInt8(ascii: ".") {
        bytes.removeFirst()
        let fraction = readDigits()
        parts.digits += fraction
        parts.exponent = -fraction.count
      }
      guard !parts.digits.isEmpty else { return nil }
      if let mark = bytes.first, mark | 0x20 == UInt8(ascii: "e") {
        bytes.removeFirst()
        let isNegative = readSign()
        let digits = readDigits()
        guard !digits.isEmpty else { return nil }
        // Six digits are far beyond the limit already; more could not change the verdict.
        let size = digits.drop { $0 == 0 }.prefix(6).reduce(0) { $0 * 10 + Int($1) }
        parts.exponent += isNegative ? -size : size
      }
      return bytes.isEmpty ? parts : nil
    }

    private mutating func readSign() -> Bool {
      let isNegative = bytes.first == UInt8(ascii: "-")
      if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
      return isNegative
    }

    private mutating func readDigits() -> [UInt8] {
      let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      bytes.removeFirst(digits.count)
      return digits.map { $0 - UInt8(ascii: "0") }
    }
  }
}
