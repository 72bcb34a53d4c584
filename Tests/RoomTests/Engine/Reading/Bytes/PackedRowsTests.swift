import Testing

@testable import Engine

@Suite("Rows without what they have in common")
struct PackedRowsTests {
  /// Rows of eight bytes, of which the second word is much alike.
  private func rows(_ values: [(UInt32, UInt32)]) -> (bytes: [UInt8], packed: [UInt8]) {
    let (rows, packed) = (ColumnWriter(), ColumnWriter())
    for (one, other) in values { rows.append(word: UInt64(one) | UInt64(other) << 32) }
    packed.append(packing: rows, size: 8)
    var (bytes, column): ([UInt8], [UInt8]) = ([], [])
    rows.bytes { bytes = Array($0) }
    packed.bytes { column = Array($0) }
    return (bytes, column)
  }

  private func unpacked(_ column: [UInt8], size: Int = 8) throws -> [UInt8] {
    let arena = TextArena()
    return try withExtendedLifetime(arena) {
      try column.withText { try Array(ColumnReader($0).unpackedRows(size: size, into: arena)) }
    }
  }

  @Test("The page's own example")
  func example() throws {
    let (bytes, packed) = rows([(1000, 7), (1003, 7), (1001, 7)])
    #expect(packed == [3, 0xe8, 0x07, 1, 0, 3, 1, 7, 0])
    #expect(try unpacked(packed) == bytes)
  }

  @Test("Any rows come back", arguments: 1...40)
  func roundTrip(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (most, other) = (UInt64(1) << UInt64(dice.below(33)), UInt64(1) << UInt64(dice.below(33)))
    let base = UInt32(dice.below(1 << 31))
    let values = (0..<dice.below(300)).map { _ in
      (base &+ UInt32(truncatingIfNeeded: UInt64(dice.below(Int(most)))), UInt32(dice.below(Int(other))))
    }
    let (bytes, packed) = rows(values)
    #expect(try unpacked(packed) == bytes)
    #expect(values.isEmpty || packed.count <= bytes.count + 14)
  }

  @Test("What was cut, goes on or has a wider value than any is refused, and never more than that", arguments: 1...40)
  func damaged(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (_, packed) = rows((0..<20).map { _ in (UInt32(dice.below(70_000)), 3) })
    for length in 0..<packed.count { #expect(throws: BlockFault.self) { try unpacked(Array(packed[..<length])) } }
    #expect(throws: BlockFault.self) { try unpacked(packed + [0]) }
    var wide = packed
    wide[4] = 5
    _ = try? unpacked(wide)
    let rubbish = (0..<dice.below(60)).map { _ in UInt8(dice.below(256)) }
    _ = try? unpacked(rubbish, size: 24)
  }
}
