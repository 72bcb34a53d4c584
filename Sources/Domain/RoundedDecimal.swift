/// Reads a decimal number of any number of decimals exactly, rounded half to even where those wanted do not hold it.
///
/// Prices that passed through a program's binary floating point come with as many decimals as that took:
/// `9.989999999999998` is 9.99. No exponent, blank or separator is taken; a minus is, for what was given back.
package enum RoundedDecimal {
  /// The number in millionths: `-0.0000005` is 0, `0.0000015` is 2.
  package static func micros(_ text: UnsafeBufferPointer<UInt8>) throws(DecimalText.Fault) -> Int64 {
    try parse(text, decimals: 6)
  }

  /// The number in units of `10^-decimals`.
  package static func parse(_ text: UnsafeBufferPointer<UInt8>, decimals: Int) throws(DecimalText.Fault) -> Int64 {
    let isNegative = text.first == UInt8(ascii: "-")
    let number = UnsafeBufferPointer(rebasing: isNegative ? text.dropFirst() : text[...])
    let point = number.firstIndex(of: UInt8(ascii: "."))
    let kept = min(number.count, point.map { $0 + 1 + decimals } ?? number.count)
    let value = try DecimalText.parse(UnsafeBufferPointer(rebasing: number[..<kept]), decimals: decimals)
    let dropped = number[kept...]
    guard dropped.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { throw .notDecimal }
    let rounded = roundsUp(dropped, isOdd: value % 2 == 1) ? value.addingReportingOverflow(1) : (value, false)
    if rounded.1 { throw .tooLarge }
    return isNegative ? -rounded.0 : rounded.0
  }

  /// Whether the dropped digits are more than half of the last place kept, or just half of an odd one.
  private static func roundsUp(_ dropped: Slice<UnsafeBufferPointer<UInt8>>, isOdd: Bool) -> Bool {
    guard let first = dropped.first else { return false }
    if first != UInt8(ascii: "5") { return first > UInt8(ascii: "5") }
    return isOdd || dropped.dropFirst().contains { $0 != UInt8(ascii: "0") }
  }
}
