/// How many users have each quantity. A small hash table of its own: a metric with a cap by percentile adds every user who
/// has something to one, and again to that of a night.
struct QuantityCounts: Sendable {
  /// In the order of their first mention; those that nobody has any more stay as zeros.
  private var entries: [Entry] = []
  /// Where a quantity's entry is found: its place, from 1; 0 is free.
  private var slots: [UInt32] = []
  /// How many entries are not zero.
  private var living = 0

  private struct Entry {
    var quantity: Quantity
    var users: Int
  }

  init() {}

  /// Nobody has any.
  var isEmpty: Bool { living == 0 }

  /// Adds users who have a quantity, or takes them away where `users` is negative.
  mutating func add(_ users: Int, with quantity: Quantity) {
    if (entries.count + 1) * 2 > slots.count { grow() }
    var slot = Self.hash(of: quantity) & (slots.count - 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if entries[position].quantity == quantity {
        let before = entries[position].users
        entries[position].users = before + users
        living += (before + users == 0 ? 0 : 1) - (before == 0 ? 0 : 1)
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    entries.append(Entry(quantity: quantity, users: users))
    slots[slot] = UInt32(entries.count)
    if users != 0 { living += 1 }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: Swift.max(16, slots.count * 2))
    for position in entries.indices {
      var slot = Self.hash(of: entries[position].quantity) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(position + 1)
    }
  }

  /// By the value and the denominator: of one metric's quantities few that differ share both. Amounts in whole cents end
  /// in the same bits, so the product's upper half is taken.
  static func hash(of quantity: Quantity) -> Int {
    let value = UInt64(truncatingIfNeeded: quantity.y) ^ (UInt64(truncatingIfNeeded: quantity.x) << 40)
    return Int(truncatingIfNeeded: (value &* Spread.multiplier) >> 32)
  }
}

extension QuantityCounts: Sequence {
  /// Every quantity that somebody has, and how many users do, in no order that means anything.
  func makeIterator() -> some IteratorProtocol<(Quantity, Int)> {
    entries.lazy.filter { $0.users != 0 }.map { ($0.quantity, $0.users) }.makeIterator()
  }
}

/// As a dictionary.
extension QuantityCounts: Codable {
  init(from decoder: any Decoder) throws {
    for (quantity, users) in try decoder.singleValueContainer().decode([Quantity: Int].self) {
      add(users, with: quantity)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var reported = encoder.singleValueContainer()
    try reported.encode(Dictionary(uniqueKeysWithValues: map { $0 }))
  }
}
