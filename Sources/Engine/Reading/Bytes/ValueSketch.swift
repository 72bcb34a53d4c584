/// How many different values a column has, and how many of them another column has as well, known from a share of them.
///
/// A value is looked at for its hash alone: those whose hash ends in enough zeros are kept, the same ones in every column of
/// every file. So two sketches show what two columns have in common however large the files are, where two samples of rows
/// would hardly ever hold the same value. Source: P. B. Gibbons, Distinct sampling (2001).
package struct ValueSketch: Sendable {
  /// Values are kept whose hash has this many zeros at its end.
  private(set) var level = 0
  private var retained: Set<UInt64> = []
  /// Hashes seen of late, each at its place: most columns repeat a few values.
  private var recent = [UInt64](repeating: 0, count: Self.recentCount)

  private static let capacity = 16_384
  private static let recentCount = 64

  package init() {}

  /// Takes one value, told from others by 64 bits of its hash.
  @inline(__always)
  mutating func add(_ hash: UInt64) {
    guard hash & mask == 0 else { return }
    let position = Int(truncatingIfNeeded: hash >> 58)
    guard recent[position] != hash else { return }
    recent[position] = hash
    insert(hash)
  }

  private mutating func insert(_ hash: UInt64) {
    retained.insert(hash)
    while retained.count > Self.capacity {
      level += 1
      let mask = mask
      retained = retained.filter { $0 & mask == 0 }
    }
  }

  private var mask: UInt64 { (1 << UInt64(level)) &- 1 }

  /// About how many different values there are; exactly, where they are few.
  package var distinct: Int { retained.count << level }

  /// Of the different values about how many another column has, too.
  package func shared(with other: ValueSketch) -> Int {
    common(with: other).shared << max(level, other.level)
  }

  /// The share of the different values that another column has, too; 0 where there are none.
  package func share(in other: ValueSketch) -> Double {
    let (own, shared) = common(with: other)
    return own == 0 ? 0 : Double(shared) / Double(own)
  }

  private func common(with other: ValueSketch) -> (own: Int, shared: Int) {
    let mask: UInt64 = (1 << UInt64(max(level, other.level))) &- 1
    let own = retained.filter { $0 & mask == 0 }
    return (own.count, own.count { other.retained.contains($0) })
  }
}

extension ValueSketch {
  /// The hash of a value: that of an id which is a UUID does not depend on its letters' case.
  static func hash(_ text: Text) -> UInt64 {
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else {
      return ByteHash.hash64(text)
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { bytes in
      for position in 0..<36 {
        let byte = text[position]
        bytes[position] = (65...90).contains(byte) ? byte | 0x20 : byte
      }
      return ByteHash.hash64(Text(unsafeBytes: UnsafeBufferPointer(bytes)))
    }
  }

  private static let dash = UInt8(ascii: "-")
}
