/// The largest of some values, as many as tell whether a few users make most of a sum.
struct LargestValues: Mergeable {
  /// From the largest down.
  private(set) var values: [Int128] = []

  /// So many are kept.
  static let count = 10

  /// Takes a value; one that is not above 0 is none of the largest.
  mutating func add(_ value: Int128) {
    guard value > 0, values.count < Self.count || value > values[values.count - 1] else { return }
    let position = values.firstIndex { $0 < value } ?? values.count
    values.insert(value, at: position)
    if values.count > Self.count { values.removeLast() }
  }

  mutating func merge(_ other: LargestValues) {
    for value in other.values { add(value) }
  }

  func misfit(_ shape: SumsShape) -> String? {
    let isSorted = zip(values, values.dropFirst()).allSatisfy { $0 >= $1 }
    return isSorted && values.count <= Self.count ? nil : "largest values"
  }
}
