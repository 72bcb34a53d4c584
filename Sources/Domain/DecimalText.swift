/// Reads plain decimal notation exactly: digits and an optional fraction, no sign, exponent or separator of thousands.
package enum DecimalText {
  /// Why a text is no number that is taken.
  package enum Fault: Error {
    case notDecimal
    case tooManyDecimals
    case tooLarge
  }

  /// The number in units of `10^-decimals`: `7.99` with 6 decimals is 7,990,000.
  ///
  /// Trailing zeros beyond `decimals` are refused like other digits: `1.0000000` has seven decimals.
  ///
  /// - Parameters:
  ///   - text: the number's ASCII bytes.
  ///   - sign: what stands before the fraction.
  /// - Throws: `notDecimal`, `tooManyDecimals`, or `tooLarge` for a number beyond `Int64.max` units.
  package static func parse(
    _ text: Span<UInt8>, decimals: Int, sign: UInt8 = UInt8(ascii: ".")
  ) throws(Fault) -> Int64 {
    var value: UInt64 = 0
    var digits = 0
    var fraction = -1
    for position in text.indices {
      let byte = text[position]
      if byte == sign {
        guard fraction < 0, digits > 0 else { throw .notDecimal }
        fraction = 0
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { throw .notDecimal }
      if fraction >= 0 { fraction += 1 }
      guard fraction <= decimals else { throw fault(of: text, sign, otherwise: .tooManyDecimals) }
      value = try appending(digit, to: value, of: text, sign)
      digits += 1
    }
    guard digits > 0, fraction != 0 else { throw .notDecimal }
    for _ in max(fraction, 0)..<decimals { value = try appending(0, to: value, of: text, sign) }
    return Int64(value)
  }

  /// The number that a string is; as `parse` of its bytes.
  package static func parse(
    _ text: String, decimals: Int, sign: UInt8 = UInt8(ascii: ".")
  ) throws(Fault) -> Int64 {
    let bytes = Array(text.utf8)
    return try parse(bytes.span, decimals: decimals, sign: sign)
  }

  private static func appending(
    _ digit: UInt8, to value: UInt64, of text: Span<UInt8>, _ sign: UInt8
  ) throws(Fault) -> UInt64 {
    let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, sumOverflow) = tens.addingReportingOverflow(UInt64(digit))
    guard !tensOverflow, !sumOverflow, sum <= UInt64(Int64.max) else {
      throw fault(of: text, sign, otherwise: .tooLarge)
    }
    return sum
  }

  /// A number that stops being one further on is no number, whatever else is wrong with it.
  private static func fault(of text: Span<UInt8>, _ sign: UInt8, otherwise fault: Fault) -> Fault {
    let bytes = text.indices.map { text[$0] }
    let isDecimal = bytes.allSatisfy { $0 == sign || $0 &- UInt8(ascii: "0") <= 9 }
    return isDecimal && bytes.count { $0 == sign } <= 1 && bytes.last != sign ? fault : .notDecimal
  }
}

extension DecimalText.Fault {
  /// What is wrong, to stand behind the number.
  package var words: String {
    switch self {
    case .notDecimal: "is not a plain decimal number"
    case .tooManyDecimals: "has more than six decimals"
    case .tooLarge: "is beyond 9223372036854.775807"
    }
  }

  /// What is wrong with `text` and what to do, where the job says which sign stands before a fraction.
  package func words(_ text: some Sequence<UInt8>, sign: UInt8) -> String {
    let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
    let other = sign == point ? comma : point
    guard self == .notDecimal, text.contains(other) else { return words }
    let letter = String(UnicodeScalar(other))
    let groups = Array(text).split(separator: other, omittingEmptySubsequences: false)
    let mayBeThousands = (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
    guard !text.contains(sign), !mayBeThousands else {
      return "\(words); write it without a separator of thousands"
    }
    return "\(words); say decimal: \"\(letter)\" if that is how the file writes fractions"
  }
}
