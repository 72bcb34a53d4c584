/// A set of hashes that is asked of every row: nearly all of them get a no from a table of bits.
struct HashSet: Sendable {
  private var slots: [UInt64]
  private var bits: [UInt64]
  private let mask: Int
  private(set) var count = 0

  /// - Parameter capacity: no more hashes will be in it.
  init(capacity: Int) {
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    bits = Array(repeating: 0, count: size / 4)
    mask = size - 1
  }

  init(_ hashes: some Collection<UInt64>) {
    self.init(capacity: hashes.count)
    for hash in hashes { insert(hash) }
  }

  private mutating func insert(_ hash: UInt64) {
    let hash = Self.key(hash)
    bits[word(hash)] |= 1 << (hash & 63)
    var slot = place(hash)
    while slots[slot] != 0 {
      if slots[slot] == hash { return }
      slot = (slot + 1) & mask
    }
    slots[slot] = hash
    count += 1
  }

  /// A free slot is 0.
  @inline(__always)
  private static func key(_ hash: UInt64) -> UInt64 { hash == 0 ? 1 : hash }

  @inline(__always)
  private func word(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 6) & (bits.count - 1) }

  @inline(__always)
  private func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 20) & mask }

  @inline(__always)
  func contains(_ hash: UInt64) -> Bool {
    let hash = Self.key(hash)
    guard bits[word(hash)] & 1 << (hash & 63) != 0 else { return false }
    var slot = place(hash)
    while slots[slot] != 0 {
      if slots[slot] == hash { return true }
      slot = (slot + 1) & mask
    }
    return false
  }
}
