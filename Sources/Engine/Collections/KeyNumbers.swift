/// Numbers for keys, from 0 in the order they come.
///
/// Where there are few (a test's groups, say) a walk over them beats a hash table, and every user asks.
struct KeyNumbers<Key: Hashable & Sendable>: Sendable {
  private(set) var keys: [Key] = []
  /// Numbers of all keys, once there are many.
  private var numbers: [Key: Int] = [:]

  private static var fewest: Int { 8 }

  /// The key's number; nil where it has none.
  @inline(__always)
  func find(_ key: Key) -> Int? {
    if !numbers.isEmpty { return numbers[key] }
    for number in keys.indices where keys[number] == key { return number }
    return nil
  }

  /// Gives a key that has none the next number.
  mutating func add(_ key: Key) -> Int {
    let number = keys.count
    keys.append(key)
    if !numbers.isEmpty {
      numbers[key] = number
    } else if keys.count > Self.fewest {
      for (number, key) in keys.enumerated() { numbers[key] = number }
    }
    return number
  }
}
