/// Reads plain decimal notation exactly: digits and an optional fraction, no sign, exponent or separator.
enum DecimalText {
  enum Fault: Error {
    case notDecimal
    case tooManyDecimals
    case tooLarge
  }

  /// The number in units of `10^-decimals`: `7.99` with 6 decimals is 7,990,000.
  ///
  /// Trailing zeros beyond `decimals` are refused like other digits: `1.0000000` has seven decimals.
  static func parse(_ text: UnsafeBufferPointer<UInt8>, decimals: Int) throws(Fault) -> Int64 {
    var value: UInt64 = 0
    var digits = 0
    var fraction = -1
    for byte in text {
      if byte == UInt8(ascii: ".") {
        guard fraction < 0, digits > 0 else { throw .notDecimal }
        fraction = 0
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { throw .notDecimal }
      if fraction >= 0 { fraction += 1 }
      guard fraction <= decimals else { throw fault(of: text, otherwise: .tooManyDecimals) }
      value = try appending(digit, to: value, of: text)
      digits += 1
    }
    guard digits > 0, fraction != 0 else { throw .notDecimal }
    for _ in max(fraction, 0)..<decimals { value = try appending(0, to: value, of: text) }
    return Int64(value)
  }

  private static func appending(
    _ digit: UInt8, to value: UInt64, of text: UnsafeBufferPointer<UInt8>
  ) throws(Fault) -> UInt64 {
    let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, sumOverflow) = tens.addingReportingOverflow(UInt64(digit))
    guard !tensOverflow, !sumOverflow, sum <= UInt64(Int64.max) else {
      throw fault(of: text, otherwise: .tooLarge)
    }
    return sum
  }

  /// A number that stops being one further on is no number, whatever else is wrong with it.
  private static func fault(of text: UnsafeBufferPointer<UInt8>, otherwise fault: Fault) -> Fault {
    let points = text.count { $0 == UInt8(ascii: ".") }
    let isDecimal = text.allSatisfy { $0 == UInt8(ascii: ".") || $0 &- UInt8(ascii: "0") <= 9 }
    return isDecimal && points <= 1 && text.last != UInt8(ascii: ".") ? fault : .notDecimal
  }
}
