import CJSON
import Foundation

/// A hash table from byte strings to the numbers 0, 1, 2 … in the order they came.
///
/// Strings lie one behind another in one buffer, each behind its number and length, so that a look-up touches
/// memory twice: the slot, and the string. It compares bytes, so two strings never share a number. Not for use
/// by two threads while strings are added.
final class ByteTable: @unchecked Sendable {
  private(set) var count = 0
  private var slots: UnsafeMutablePointer<Slot>
  private var slotMask: Int
  private var arena: UnsafeMutableRawPointer
  private var arenaSize: Int
  private var arenaUsed = arenaStart
  /// Where each string's entry begins in `arena`, by number.
  private var offsets: [UInt32] = []

  /// A free slot has an offset of 0.
  struct Slot {
    /// The upper half of the hash: most strings that differ are told apart by it, and its lower bits say where to look
    /// first, so that a table grows without a look at its strings.
    var tag: UInt32
    /// Where the string's entry begins in the arena, in units of four bytes.
    var entry: UInt32
  }

  private static let headerSize = 8
  /// The first four bytes stay empty, so that no entry begins at 0.
  private static let arenaStart = 4

  init(expected: Int = 16, bytesEach: Int = 16) {
    var slotCount = 16
    while slotCount < expected * 2 { slotCount *= 2 }
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(tag: 0, entry: 0), count: slotCount)
    slotMask = slotCount - 1
    arenaSize = max(64, expected * (bytesEach + Self.headerSize))
    arena = .allocate(byteCount: arenaSize, alignment: 8)
  }

  deinit {
    slots.deallocate()
    arena.deallocate()
  }

  /// Forgets the strings and keeps their memory.
  func removeAll() {
    slots.initialize(repeating: Slot(tag: 0, entry: 0), count: slotMask + 1)
    offsets.removeAll(keepingCapacity: true)
    (count, arenaUsed) = (0, Self.arenaStart)
  }

  /// One string, which lives as long as the table.
  func text(_ number: Int) -> Text { text(of: offsets[number]) }

  /// The string's number; nil where it is not in the table.
  @inline(__always)
  func find(_ text: Text, hash: UInt64) -> Int? { view.find(text, hash: hash) }

  /// The table as it stands.
  @inline(__always)
  var view: View { View(slots: slots, slotMask: slotMask, arena: arena) }

  /// A table as it stands, to look strings up without counting references to it: of a run's processor time counting
  /// them took 1.5 %. Good while the table lives and nothing is added.
  struct View {
    fileprivate let slots: UnsafeMutablePointer<Slot>
    fileprivate let slotMask: Int
    fileprivate let arena: UnsafeMutableRawPointer

    /// The string's number; nil where it is not in the table.
    @inline(__always)
    func find(_ text: Text, hash: UInt64) -> Int? {
      let tag = ByteTable.tag(hash)
      var slot = Int(tag) & slotMask
      while slots[slot].entry != 0 {
        if slots[slot].tag == tag, ByteTable.text(of: slots[slot].entry, in: arena) == text {
          return Int((arena + Int(slots[slot].entry) * 4).load(as: UInt32.self))
        }
        slot = (slot + 1) & slotMask
      }
      return nil
    }

    /// Asks for the slot a look-up will begin with.
    @inline(__always)
    func prefetchSlot(hash: UInt64) { ol_prefetch(slots + (Int(ByteTable.tag(hash)) & slotMask)) }

    /// Asks for the string a look-up will compare with; the slots it passes on the way should have come by now.
    ///
    /// In a table half full every fourth string lies a slot or more behind the one it belongs to. Asking only for what
    /// the first slot points at left a run to wait for the memory of those: 3 % of its time.
    @inline(__always)
    func prefetchEntry(hash: UInt64) {
      let tag = ByteTable.tag(hash)
      var slot = Int(tag) & slotMask
      while slots[slot].tag != tag, slots[slot].entry != 0 { slot = (slot &+ 1) & slotMask }
      let entry = arena + Int(slots[slot].entry) * 4
      ol_prefetch(entry)
      // Behind the number and the length most names reach into the next line of the cache.
      ol_prefetch(entry + 40)
    }
  }

  /// Asks for the slot that inserting a string begins with.
  @inline(__always)
  func prefetchSlot(hash: UInt64) { view.prefetchSlot(hash: hash) }

  /// The string's number, a new one where it was not there.
  func insert(_ text: Text, hash: UInt64) -> Int {
    let tag = Self.tag(hash)
    var free = Int(tag) & slotMask
    while slots[free].entry != 0 {
      if slots[free].tag == tag, self.text(of: slots[free].entry) == text {
        return Int((arena + Int(slots[free].entry) * 4).load(as: UInt32.self))
      }
      free = (free + 1) & slotMask
    }
    let slot = Slot(tag: tag, entry: append(text))
    if (count + 1) * 2 > slotMask {
      grow()
      put(slot)
    } else {
      slots[free] = slot
    }
    count += 1
    return count - 1
  }

  @inline(__always)
  private func text(of entry: UInt32) -> Text { Self.text(of: entry, in: arena) }

  @inline(__always)
  private static func text(of entry: UInt32, in arena: UnsafeMutableRawPointer) -> Text {
    let start = arena + Int(entry) * 4
    let count = Int(start.load(fromByteOffset: 4, as: UInt32.self))
    let bytes = (start + headerSize).assumingMemoryBound(to: UInt8.self)
    return Text(unsafeBytes: UnsafeBufferPointer(start: bytes, count: count))
  }

  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  private func put(_ entry: Slot) {
    var slot = Int(entry.tag) & slotMask
    while slots[slot].entry != 0 { slot = (slot + 1) & slotMask }
    slots[slot] = entry
  }

  /// Adds an entry and returns where it begins.
  private func append(_ text: Text) -> UInt32 {
    let size = (Self.headerSize + text.count + 3) & ~3
    if arenaUsed + size > arenaSize { growArena(arenaUsed + size) }
    let start = arena + arenaUsed
    start.storeBytes(of: UInt32(count), as: UInt32.self)
    start.storeBytes(of: UInt32(text.count), toByteOffset: 4, as: UInt32.self)
    if let base = text.unsafeBytes.baseAddress { memcpy(start + Self.headerSize, base, text.count) }
    let entry = UInt32(arenaUsed / 4)
    offsets.append(entry)
    arenaUsed += size
    return entry
  }

  private func growArena(_ needed: Int) {
    let newSize = max(needed, arenaSize * 3 / 2)
    let new = UnsafeMutableRawPointer.allocate(byteCount: newSize, alignment: 8)
    memcpy(new, arena, arenaUsed)
    arena.deallocate()
    arena = new
    arenaSize = newSize
  }

  private func grow() {
    let old = UnsafeMutableBufferPointer(start: slots, count: slotMask + 1)
    defer { old.deallocate() }
    let slotCount = old.count * 2
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(tag: 0, entry: 0), count: slotCount)
    slotMask = slotCount - 1
    for slot in old where slot.entry != 0 { put(slot) }
  }
}
