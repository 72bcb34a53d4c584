/// How deep the values of a page lie, one number a value: how much of the way to it is there, or what it repeats.
struct Levels {
  private var runs: RunLengths?
  private var packed: ArraySlice<UInt8> = []
  private var bit = 0
  private let width: Int
  private let most: UInt8
  private var scratch: [UInt32] = []

  /// Levels of a column in which there are none but 0.
  init() { (width, most) = (0, 0) }

  /// In runs, as nearly all writers have them.
  init(runs bytes: ArraySlice<UInt8>, most: UInt8) throws {
    (width, self.most) = (Self.width(most), most)
    runs = try RunLengths(bytes, width: width)
  }

  /// Packed bit by bit, the highest bits first: Encodings.md, "Bit-packed (Deprecated)".
  init(packed: ArraySlice<UInt8>, most: UInt8) {
    (width, self.most) = (Self.width(most), most)
    self.packed = packed
  }

  /// Bits a level takes.
  static func width(_ most: UInt8) -> Int { 8 - most.leadingZeroBitCount }

  /// Appends the next `count` levels.
  mutating func append(_ count: Int, to levels: inout [UInt8]) throws {
    guard most > 0 else { return levels.append(contentsOf: repeatElement(0, count: count)) }
    scratch.removeAll(keepingCapacity: true)
    if runs == nil {
      for _ in 0..<count { scratch.append(try nextPacked()) }
    } else {
      try runs?.append(count, to: &scratch)
    }
    for level in scratch {
      guard level <= UInt32(most) else { throw ParquetFault("a page's levels are damaged") }
      levels.append(UInt8(level))
    }
  }

  private mutating func nextPacked() throws -> UInt32 {
    var level: UInt32 = 0
    for _ in 0..<width {
      let position = packed.startIndex + bit >> 3
      guard position < packed.endIndex else { throw ParquetFault("a page ends before its levels do") }
      level = level << 1 | UInt32(packed[position] >> UInt8(7 - bit & 7) & 1)
      bit += 1
    }
    return level
  }
}
