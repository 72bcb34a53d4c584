/// The keys seen so far among one user's events, with the number of the event each came with first.
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
