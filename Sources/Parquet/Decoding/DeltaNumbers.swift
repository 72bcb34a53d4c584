/// Whole numbers by how much each is more than the one before.
///
/// Source: Apache Parquet, Encodings.md, "Delta Encoding".
struct DeltaNumbers {
  private var bits: PackedBits
  private let blocks: Int
  private let valuesOfBlock: Int
  /// Numbers are of four bytes: sums that go beyond them wrap.
  private let isNarrow: Bool
  /// All numbers, and those that have been taken.
  let total: Int
  private var accepted = 0
  private var last: Int64
  private var least: Int64 = 0
  private var widths: [UInt8] = []
  /// The miniblock at hand, how many numbers are left of it, and where it ends.
  private var block = 0
  private var left = 0
  private var endOfBlock = 0

  /// - Throws: `ParquetFault` where the page does not begin as it should.
  init(_ bytes: ArraySlice<UInt8>, isNarrow: Bool = true) throws {
    bits = PackedBits(bytes)
    let damage = ParquetFault("a page's numbers are damaged")
    guard let size = Int(exactly: try bits.varint()), let blocks = Int(exactly: try bits.varint()),
      let total = Int(exactly: try bits.varint()),
      (1...1 << 20).contains(size), (1...1 << 12).contains(blocks), size % blocks == 0, size / blocks % 8 == 0,
      total <= Int(Int32.max)
    else { throw damage }
    self.isNarrow = isNarrow
    (self.blocks, valuesOfBlock, self.total) = (blocks, size / blocks, total)
    last = try bits.zigzag()
    (block, endOfBlock) = (blocks, bits.at)
  }

  /// Appends the next `count` numbers.
  mutating func append(_ count: Int, to numbers: inout [Int64]) throws {
    guard count <= total - accepted else { throw ParquetFault("a page has fewer numbers than values") }
    for _ in 0..<count {
      if accepted > 0 {
        if left == 0 { try beginBlock() }
        let delta = widths[block] == 0 ? 0 : try bits.next(Int(widths[block]))
        last = last &+ least &+ Int64(bitPattern: delta)
        left -= 1
      }
      accepted += 1
      numbers.append(isNarrow ? Int64(Int32(truncatingIfNeeded: last)) : last)
    }
  }

  private mutating func beginBlock() throws {
    bits.move(to: endOfBlock)
    block += 1
    if block >= blocks {
      least = try bits.zigzag()
      widths.removeAll(keepingCapacity: true)
      for _ in 0..<blocks { widths.append(try bits.byte()) }
      block = 0
    }
    guard widths[block] <= 64 else { throw ParquetFault("a page's numbers are said to have \(widths[block]) bits") }
    left = valuesOfBlock
    endOfBlock = bits.at + valuesOfBlock / 8 * Int(widths[block])
  }

  /// What stands behind the numbers, all of which have been taken.
  var rest: ArraySlice<UInt8> {
    var end = bits
    end.move(to: endOfBlock)
    return end.rest
  }
}
