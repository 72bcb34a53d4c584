/// Reads a decimal number of any number of decimals exactly, rounded half to even where those wanted do not hold it.
///
/// Prices that passed through a program's binary floating point come with as many decimals as that took:
/// `9.989999999999998` is 9.99. No exponent, blank or separator is taken; a minus is, for what was given back.
package enum RoundedDecimal {
  /// The number in millionths: `-0.0000005` is 0, `0.0000015` is 2.
  ///
  /// - Throws: as `parse`.
  package static func micros(_ text: Span<UInt8>) throws(DecimalText.Fault) -> Int64 {
    try parse(text, decimals: 6)
  }

  /// The number in units of `10^-decimals`.
  ///
  /// - Throws: `notDecimal`, or `tooLarge` for a number beyond `Int64.max` units.
  package static func parse(_ text: Span<UInt8>, decimals: Int) throws(DecimalText.Fault) -> Int64 {
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    let number = text.extracting(droppingFirst: isNegative ? 1 : 0)
    let point = number.indices.first { number[$0] == UInt8(ascii: ".") }
    let retained = min(number.count, point.map { $0 + 1 + decimals } ?? number.count)
    let value = try DecimalText.parse(number.extracting(first: retained), decimals: decimals)
    let dropped = number.extracting(droppingFirst: retained)
    guard dropped.indices.allSatisfy({ dropped[$0] &- UInt8(ascii: "0") <= 9 }) else { throw .notDecimal }
    let rounded = roundsUp(dropped, isOdd: value % 2 == 1) ? value.addingReportingOverflow(1) : (value, false)
    if rounded.1 { throw .tooLarge }
    return isNegative ? -rounded.0 : rounded.0
  }

  /// Whether the dropped digits are more than half of the last place kept, or just half of an odd one.
  private static func roundsUp(_ dropped: Span<UInt8>, isOdd: Bool) -> Bool {
    guard dropped.count > 0 else { return false }
    if dropped[0] != UInt8(ascii: "5") { return dropped[0] > UInt8(ascii: "5") }
    return isOdd || dropped.indices.contains { $0 > 0 && dropped[$0] != UInt8(ascii: "0") }
  }
}
