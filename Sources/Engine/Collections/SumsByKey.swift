/// Sums by key, made at a key's first mention: as a dictionary, but quicker where there are few keys, as of a test's
/// products, because every charge looks for its own.
package struct SumsByKey<Key: Hashable & Sendable, Sums: Sendable>: Sendable {
  private var numbers = KeyNumbers<Key>()
  private var sums: [Sums] = []

  /// Changes a key's sums, which begin as `new`.
  @inline(__always)
  mutating func update(_ key: Key, new: @autoclosure () -> Sums, _ change: (inout Sums) -> Void) {
    let number = numbers.find(key) ?? add(key, new())
    change(&sums[number])
  }

  private mutating func add(_ key: Key, _ new: Sums) -> Int {
    sums.append(new)
    return numbers.add(key)
  }

  /// Puts the sums of each key together with another's: `merge` where both have some.
  mutating func merge(_ other: Self, _ merge: (inout Sums, Sums) -> Void) {
    for (key, theirs) in other.all {
      if let mine = numbers.find(key) { merge(&sums[mine], theirs) } else { _ = add(key, theirs) }
    }
  }

  /// As a dictionary, which keeps no order.
  var dictionary: [Key: Sums] { Dictionary(uniqueKeysWithValues: zip(numbers.keys, sums)) }

  /// Of a dictionary.
  init(_ sums: [Key: Sums]) {
    for (key, sums) in sums { _ = add(key, sums) }
  }

  /// No sums.
  init() {}

  /// How many keys there are.
  var count: Int { sums.count }

  /// All of them, in the order of their first mention.
  package var all: [(key: Key, sums: Sums)] { zip(numbers.keys, sums).map { (key: $0, sums: $1) } }
}

extension SumsByKey: Codable where Key: Codable, Sums: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Key: Sums].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var reported = encoder.singleValueContainer()
    try reported.encode(dictionary)
  }
}
