import Foundation

/// A hash table from byte strings to the numbers 0, 1, 2 … in the order they came.
///
/// Strings lie one behind another in one buffer; a look-up compares bytes, so two strings never share a
/// number. Not for use by two threads while strings are added.
final class ByteTable: @unchecked Sendable {
  private(set) var count = 0
  /// Number of a string plus one; 0 is a free slot.
  private var slots: UnsafeMutablePointer<Entry>
  private var slotMask: Int
  /// Where each string ends in `arena`; it begins where the one before ends.
  private var ends: [Int] = []
  private var arena: UnsafeMutablePointer<UInt8>
  private var arenaSize: Int

  private struct Entry {
    /// The upper half of the hash: most strings that differ are told apart by it.
    var tag: UInt32
    var number: UInt32
  }

  init(expected: Int = 16, bytesEach: Int = 16) {
    var slotCount = 16
    while slotCount < expected * 2 { slotCount *= 2 }
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Entry(tag: 0, number: 0), count: slotCount)
    slotMask = slotCount - 1
    arenaSize = max(64, expected * bytesEach)
    arena = .allocate(capacity: arenaSize)
    ends.reserveCapacity(expected)
  }

  deinit {
    slots.deallocate()
    arena.deallocate()
  }

  /// The bytes of one string.
  func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    let start = number == 0 ? 0 : ends[number - 1]
    return UnsafeBufferPointer(start: arena + start, count: ends[number] - start)
  }

  /// The string's number; nil where it is not in the table.
  func find(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int? {
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    var slot = Int(truncatingIfNeeded: hash) & slotMask
    while slots[slot].number != 0 {
      if slots[slot].tag == tag, isEqual(Int(slots[slot].number - 1), text) { return Int(slots[slot].number - 1) }
      slot = (slot + 1) & slotMask
    }
    return nil
  }

  /// The string's number, a new one where it was not there.
  func insert(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    if let number = find(text, hash: hash) { return number }
    if (count + 1) * 2 > slotMask { grow() }
    append(text)
    place(Entry(tag: UInt32(truncatingIfNeeded: hash >> 32), number: UInt32(count + 1)), hash: hash)
    count += 1
    return count - 1
  }

  private func isEqual(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let own = bytes(number)
    guard own.count == text.count else { return false }
    return text.isEmpty || memcmp(own.baseAddress!, text.baseAddress!, text.count) == 0
  }

  private func place(_ entry: Entry, hash: UInt64) {
    var slot = Int(truncatingIfNeeded: hash) & slotMask
    while slots[slot].number != 0 { slot = (slot + 1) & slotMask }
    slots[slot] = entry
  }

  private func append(_ text: UnsafeBufferPointer<UInt8>) {
    let start = ends.last ?? 0
    if start + text.count > arenaSize { growArena(start + text.count) }
    if let base = text.baseAddress { memcpy(arena + start, base, text.count) }
    ends.append(start + text.count)
  }

  private func growArena(_ needed: Int) {
    let newSize = max(needed, arenaSize * 3 / 2)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: newSize)
    memcpy(new, arena, arenaSize)
    arena.deallocate()
    arena = new
    arenaSize = newSize
  }

  private func grow() {
    let slotCount = (slotMask + 1) * 2
    slots.deallocate()
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Entry(tag: 0, number: 0), count: slotCount)
    slotMask = slotCount - 1
    for number in 0..<count {
      let hash = ByteHash.hash64(bytes(number))
      place(Entry(tag: UInt32(truncatingIfNeeded: hash >> 32), number: UInt32(number + 1)), hash: hash)
    }
  }
}
