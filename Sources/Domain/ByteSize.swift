/// An amount of memory or disk as people write it: `20 GB`, `500MB`, `256M`.
package struct ByteSize: Sendable, Hashable, Comparable {
  package let bytes: Int64

  package init(bytes: Int64) {
    self.bytes = bytes
  }

  package static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }

  /// Nil for what is not a whole number from 1 with a unit behind it: `KB`, `MB`, `GB`, `TB`, thousands of one another,
  /// or their first letters alone.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var unit = text.dropFirst(digits.count).drop { $0 == " " }.uppercased()
    if unit.hasSuffix("B") { unit.removeLast() }
    guard let number = Int64(digits), number > 0, let power = ["K", "M", "G", "T"].firstIndex(of: unit) else {
      return nil
    }
    let factor = (0...power).reduce(Int64(1)) { product, _ in product * 1000 }
    let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: factor)
    guard !isTooMuch else { return nil }
    self.bytes = bytes
  }
}
