/// Whole numbers from 0 as bytes: seven bits each from the lowest up, and all but the last with their highest bit set.
package enum Varint {
  /// Writes a number behind bytes.
  package static func append(_ number: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads a number.
  ///
  /// - Parameter next: gives one byte after the other, or throws where there is none.
  /// - Returns: nil where it goes on for more bytes than such a number has.
  package static func read<Number: FixedWidthInteger & UnsignedInteger, Fault: Error>(
    as type: Number.Type, _ next: () throws(Fault) -> UInt8
  ) throws(Fault) -> Number? {
    var number: Number = 0
    for shift in stride(from: 0, to: Number.bitWidth, by: 7) {
      let byte = try next()
      number |= Number(byte & 0x7f) << Number(shift)
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// A number of either sign as one from 0: 0, −1, 1, −2 … as 0, 1, 2, 3 …
  @inline(__always)
  package static func zigzag<Number: FixedWidthInteger & SignedInteger>(_ number: Number) -> Number.Magnitude
  where Number.Magnitude: FixedWidthInteger {
    Number.Magnitude(truncatingIfNeeded: number << 1 ^ number >> (Number.bitWidth - 1))
  }

  /// What ``zigzag(_:)`` was made of.
  @inline(__always)
  package static func signed<Number: FixedWidthInteger & SignedInteger>(_ number: Number.Magnitude) -> Number
  where Number.Magnitude: FixedWidthInteger {
    Number(truncatingIfNeeded: number >> 1) ^ -Number(truncatingIfNeeded: number & 1)
  }
}
