extension Identifier {
  /// Whether the name comes first as a reader orders names: digits count as the number they write, all else by bytes.
  ///
  ///     Identifier("conversion_7d").naturallyPrecedes("conversion_14d") == true
  ///
  /// Names that differ in leading zeros alone go by their bytes, so that the order is total.
  package func naturallyPrecedes(_ other: Identifier) -> Bool {
    let (left, right) = (Self.parts(utf8), Self.parts(other.utf8))
    return left == right ? self < other : left.lexicographicallyPrecedes(right)
  }

  /// A byte, or digits in a row: first how many there are without leading zeros, then which.
  ///
  /// As the digits lie next to each other among the bytes, a number stands where its digit `0` would.
  private static func parts(_ bytes: [UInt8]) -> [NaturalPart] {
    var parts: [NaturalPart] = []
    var rest = bytes[...]
    while let byte = rest.first {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(max(1, digits.count))
      let number = digits.drop { $0 == zero }
      parts.append(NaturalPart(byte: digits.isEmpty ? byte : zero, digits: Array(number)))
    }
    return parts
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }
}

/// A part of a name that is compared as one: a byte, or a number.
private struct NaturalPart: Comparable {
  var byte: UInt8
  /// Of a number, without leading zeros.
  var digits: [UInt8]

  static func < (left: Self, right: Self) -> Bool {
    if left.byte != right.byte { return left.byte < right.byte }
    if left.digits.count != right.digits.count { return left.digits.count < right.digits.count }
    return left.digits.lexicographicallyPrecedes(right.digits)
  }
}
