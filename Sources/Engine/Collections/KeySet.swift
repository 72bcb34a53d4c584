/// The keys seen so far among one user's events, with a number each: that of the event it came with first, say.
///
/// A user has few events: up to a dozen or two a walk over an array beats a hash table.
struct KeySet {
  private var few: [(key: UInt64, number: Int)] = []
  private var many: [UInt64: Int] = [:]

  private static let fewest = 24

  mutating func removeAll() {
    if !few.isEmpty { few.removeAll(keepingCapacity: true) }
    if !many.isEmpty { many.removeAll() }
  }

  /// The key's number; nil for a key not seen.
  subscript(key: UInt64) -> Int? {
    if !many.isEmpty { return many[key] }
    for entry in few where entry.key == key { return entry.number }
    return nil
  }

  /// Gives a key another number, and returns the one it had; nil for a new key.
  mutating func update(_ key: UInt64, number: Int) -> Int? {
    let known = self[key]
    if known == nil { _ = insert(key, number: number) }
    guard let known, known != number else { return known }
    if many.isEmpty {
      for position in few.indices where few[position].key == key { few[position].number = number }
    } else {
      many[key] = number
    }
    return known
  }

  /// The number the key came with first, which is `number` if it is new.
  mutating func insert(_ key: UInt64, number: Int) -> Int {
    if many.isEmpty {
      for entry in few where entry.key == key { return entry.number }
      few.append((key, number))
      if few.count > Self.fewest { for entry in few { many[entry.key] = entry.number } }
      return number
    }
    if let known = many[key] { return known }
    many[key] = number
    return number
  }
}
