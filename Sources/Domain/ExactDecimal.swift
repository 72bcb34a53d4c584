/// A number in plain decimal notation, exactly, however many digits it has: what prices are multiplied and divided by
/// before they are rounded once.
package struct ExactDecimal {
  /// Below zero.
  package private(set) var isNegative: Bool
  /// From the first to the last, without leading zeros; none for zero.
  private var digits: [UInt8]
  /// How many of them stand behind the point; there may be more than there are digits.
  private var decimals: Int

  /// - Parameters:
  ///   - text: the number's ASCII bytes: digits, and a fraction behind the sign; a minus before them.
  ///   - sign: what stands before the fraction.
  /// - Throws: `notDecimal`.
  package init(_ text: Span<UInt8>, sign: UInt8 = UInt8(ascii: ".")) throws(DecimalText.Fault) {
    isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    (digits, decimals) = ([], 0)
    var point: Int?
    for position in (isNegative ? 1 : 0)..<text.count {
      if text[position] == sign, point == nil, position > (isNegative ? 1 : 0), position + 1 < text.count {
        point = position
        continue
      }
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { throw .notDecimal }
      if digit > 0 || !digits.isEmpty { digits.append(digit) }
    }
    guard text.count > (isNegative ? 1 : 0) else { throw .notDecimal }
    decimals = point.map { text.count - $0 - 1 } ?? 0
  }

  package var isZero: Bool { digits.isEmpty }

  /// The product, of any number of digits.
  package func multiplied(by other: ExactDecimal) -> ExactDecimal {
    var product = self
    product.isNegative = isNegative != other.isNegative
    product.decimals += other.decimals
    var positions = [Int](repeating: 0, count: digits.count + other.digits.count)
    for (position, digit) in digits.enumerated() {
      for (otherPosition, otherDigit) in other.digits.enumerated() {
        positions[position + otherPosition + 1] += Int(digit) * Int(otherDigit)
      }
    }
    for position in positions.indices.dropFirst().reversed() {
      positions[position - 1] += positions[position] / 10
      positions[position] %= 10
    }
    product.digits = positions.drop { $0 == 0 }.map { UInt8($0) }
    return product
  }

  /// The number divided by a power of ten.
  package func dividedByTen(toThe power: Int) -> ExactDecimal {
    var quotient = self
    quotient.decimals += power
    return quotient
  }

  /// The number without its sign.
  package var magnitude: ExactDecimal {
    var magnitude = self
    magnitude.isNegative = false
    return magnitude
  }

  // MARK: - Rounding

  /// A number rounded half to even to millionths, and by how much that changed it.
  package struct Rounded: Equatable {
    package var micros: Int64
    /// By how much it changed, in millionths of a millionth, cut off behind those.
    package var changeInPicos: Int64 = 0
    /// It changed by a billionth or more: by less is what binary floating point leaves of `9.99`.
    package var isChanged: Bool { changeInPicos >= Self.noise }

    private static let noise: Int64 = 1000
  }

  /// The number in millionths, rounded half to even.
  ///
  /// - Throws: `tooLarge` for a number beyond `Int64.max` millionths.
  package func rounded() throws(DecimalText.Fault) -> Rounded {
    let retained = max(0, digits.count - decimals + 6)
    var micros: Int64 = 0
    for position in 0..<retained {
      let digit = position < digits.count ? Int64(digits[position]) : 0
      let (tens, overflow) = micros.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = tens.addingReportingOverflow(digit)
      guard !overflow, !sumOverflow else { throw .tooLarge }
      micros = sum
      if micros == 0, digits.isEmpty { break }
    }
    // What was dropped begins so many zeros behind the last place kept.
    let zeros = max(0, decimals - 6 - digits.count)
    let dropped = digits.dropFirst(retained)
    let picos = (0..<6).reduce(Int64(0)) { sum, position in
      let digit = position < zeros ? 0 : dropped.dropFirst(position - zeros).first ?? 0
      return sum * 10 + Int64(digit)
    }
    let hasMore = dropped.dropFirst(max(0, 6 - zeros)).contains { $0 > 0 }
    let half: Int64 = 500_000
    let roundsUp = picos > half || picos == half && (hasMore || micros % 2 == 1)
    guard !roundsUp || micros < .max else { throw .tooLarge }
    let change = roundsUp ? 2 * half - picos - (hasMore ? 1 : 0) : picos
    return Rounded(micros: (micros + (roundsUp ? 1 : 0)) * (isNegative ? -1 : 1), changeInPicos: change)
  }
}
