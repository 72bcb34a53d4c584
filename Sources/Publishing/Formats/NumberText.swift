import Domain

/// Numbers as every text format writes them: `.` for decimals, no grouping, the same on every machine.
enum NumberText {
  /// The shortest digits that read back as the same number; exponents only below 1e-6 and from 1e21 on.
  ///
  /// `0.05`, `1`, `1234567`, `1.5e-7`: what pandas and spreadsheets read without a second look. These are the
  /// rules of ECMAScript's Number::toString. Negative zero is written `0`.
  static func real(_ value: Double) -> String {
    var bytes: [UInt8] = []
    append(real: value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds what `real` writes: a night has hundreds of thousands of numbers, and needs no text of each.
  static func append(real value: Double, to bytes: inout [UInt8]) {
    guard value != 0 else { return bytes.append(UInt8(ascii: "0")) }
    let shortest = value.description
    guard shortest.utf8.contains(UInt8(ascii: "e")) else { return append(decimals: shortest.utf8Span.span, to: &bytes) }
    let (digits, exponent) = shortestDigits(shortest)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let isPlain = exponent > -7 && exponent < 21
    bytes += (isPlain ? plain(digits, exponent) : scientific(digits, exponent)).utf8
  }

  /// Adds digits that Swift writes with a decimal point, but for the `.0` of a whole number.
  private static func append(decimals digits: Span<UInt8>, to bytes: inout [UInt8]) {
    let isWhole = digits[digits.count - 1] == UInt8(ascii: "0") && digits[digits.count - 2] == UInt8(ascii: ".")
    for position in 0..<(isWhole ? digits.count - 2 : digits.count) { bytes.append(digits[position]) }
  }

  /// A sum of money in millionths as units with exactly six decimals: `-1.250000`.
  static func micros(_ micros: Int128) -> String {
    let (units, fraction) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(micros < 0 ? "-" : "")\(units).\(fraction.padded(6))"
  }

  /// The millionths that `micros` wrote as this text; nil of any other text.
  static func micros(of text: String) -> Int128? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 6, parts[1].utf8.allSatisfy(isDigit),
      let units = parts[0].utf8.last, isDigit(units)
    else { return nil }
    return Int128(parts[0] + parts[1])
  }

  /// A sum of money in millionths as the nearest number of units.
  static func units(ofMicros micros: Int128) -> Double {
    let limit: UInt128 = 1 << 53
    guard micros.magnitude <= limit else { return Double(Self.micros(micros)) ?? Double(micros) / 1_000_000 }
    return Double(micros) / 1_000_000
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// A CRC-32 as eight hexadecimal digits.
  static func checksum(_ crc32: UInt32) -> String {
    let digits = String(crc32, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The significant digits of a number that Swift writes with an exponent, and the power of ten its first digit stands
  /// for: `-1.25e-05`, `3e-06`.
  private static func shortestDigits(_ text: String) -> (digits: [UInt8], exponent: Int) {
    let parts = text.utf8.split(separator: UInt8(ascii: "e"))
    return (parts[0].filter(isDigit), Int(Substring(parts[1])) ?? 0)
  }

  private static func plain(_ digits: [UInt8], _ exponent: Int) -> String {
    guard exponent >= 0 else { return "0." + String(repeating: "0", count: -exponent - 1) + text(digits[...]) }
    let whole = digits.prefix(exponent + 1)
    let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
    let fraction = digits.dropFirst(exponent + 1)
    return text(whole) + zeros + (fraction.isEmpty ? "" : "." + text(fraction))
  }

  private static func scientific(_ digits: [UInt8], _ exponent: Int) -> String {
    let fraction = digits.dropFirst()
    return text(digits.prefix(1)) + (fraction.isEmpty ? "" : "." + text(fraction)) + "e\(exponent)"
  }

  private static func text(_ digits: ArraySlice<UInt8>) -> String { String(decoding: digits, as: UTF8.self) }
}
