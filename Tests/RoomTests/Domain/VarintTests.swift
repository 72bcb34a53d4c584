import Testing

@testable import Domain

/// Whole numbers as bytes of seven bits.
struct VarintTests {
  private func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    Varint.append(number, to: &bytes)
    return bytes
  }

  private struct Cut: Error {}

  private func read<Number: FixedWidthInteger & UnsignedInteger>(_ bytes: [UInt8], as type: Number.Type) throws
    -> Number?
  {
    var rest = bytes[...]
    let number = try Varint.read(as: type) { () throws(Cut) in
      guard let byte = rest.popFirst() else { throw Cut() }
      return byte
    }
    #expect(rest.isEmpty)
    return number
  }

  @Test(
    "Seven bits a byte, the lowest first",
    arguments: [(0, [0]), (127, [127]), (128, [128, 1]), (300, [172, 2])] as [(UInt64, [UInt8])])
  func lowestFirst(number: UInt64, written: [UInt8]) throws {
    #expect(bytes(number) == written)
    #expect(try read(written, as: UInt64.self) == number)
  }

  @Test("The largest come back, one byte more is too long, and one less is cut off")
  func edges() throws {
    #expect(try read(bytes(UInt64.max), as: UInt64.self) == .max && bytes(UInt64.max).count == 10)
    #expect(try read(bytes(UInt128.max), as: UInt128.self) == .max)
    var rest = [UInt8](repeating: 0x80, count: 10)[...]
    #expect(Varint.read(as: UInt64.self) { rest.removeFirst() } == nil)
    #expect(throws: Cut.self) { try read([0x80, 0x80], as: UInt64.self) }
  }

  @Test(
    "Of either sign those near 0 are small",
    arguments: [(0, 0), (-1, 1), (1, 2), (-2, 3), (.max, .max - 1), (.min, .max)] as [(Int64, UInt64)])
  func zigzag(number: Int64, folded: UInt64) {
    #expect(Varint.zigzag(number) == folded)
    #expect(Varint.signed(folded) as Int64 == number)
    #expect(Varint.signed(Varint.zigzag(Int128(number) * 3)) as Int128 == Int128(number) * 3)
  }
}
