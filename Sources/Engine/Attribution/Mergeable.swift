import Domain
import Measurement
import Statistics

/// Exact sums over some users, which are added to those over others, in any order, in this process or in another.
protocol Mergeable: Codable, Sendable {
  /// Adds the sums over other users; they must have the same shape.
  mutating func merge(_ other: Self)

  /// What of sums from elsewhere has another shape, in a word or two; nil where everything is.
  ///
  /// Merging takes lists to be as long as the shape says, and naming takes numbers to be those of names.
  func misfit(_ shape: SumsShape) -> String?
}

/// Sums without a list, and without a number that stands for a name: they fit every shape.
protocol PlainSums: Mergeable {}

extension PlainSums {
  func misfit(_ shape: SumsShape) -> String? { nil }
}

/// Sums that are described by their parts, once: merging them and the look at those from elsewhere follow from it, and
/// what is no part is not merged.
protocol Tally: Mergeable {
  /// Every stored property.
  static var parts: [TallyPart<Self>] { get }
}

extension Tally {
  mutating func merge(_ other: Self) {
    for part in Self.parts { part.merge(&self, other) }
  }

  func misfit(_ shape: SumsShape) -> String? {
    for part in Self.parts { if let misfit = part.misfit(self, shape) { return misfit } }
    return nil
  }
}

/// A property of a tally: how two are added, and what is asked of one from elsewhere. There is no way to declare a
/// list without its length, nor keys without what tells those that are known.
struct TallyPart<Whole>: Sendable {
  let merge: @Sendable (_ whole: inout Whole, _ other: Whole) -> Void
  let misfit: @Sendable (_ whole: Whole, _ shape: SumsShape) -> String?

  typealias Path<Value> = WritableKeyPath<Whole, Value> & Sendable
  /// Whether a key is one of the run's.
  typealias Known<Key> = @Sendable (_ key: Key, _ shape: SumsShape) -> Bool

  init<Sums: Mergeable>(_ path: Path<Sums>) {
    merge = { $0[keyPath: path].merge($1[keyPath: path]) }
    misfit = { $0[keyPath: path].misfit($1) }
  }

  /// Values of which one is right for both, such as the larger.
  init<Value: Sendable>(_ path: Path<Value>, _ choose: @escaping @Sendable (Value, Value) -> Value) {
    merge = { $0[keyPath: path] = choose($0[keyPath: path], $1[keyPath: path]) }
    misfit = { _, _ in nil }
  }

  /// Sums by key.
  ///
  /// - Parameters:
  ///   - name: what they are, for the message about those that do not fit.
  ///   - isKnown: whether a key is one of the run's.
  init<Key: Sendable, Sums: Mergeable>(_ name: String, _ path: Path<[Key: Sums]>, keys isKnown: @escaping Known<Key>) {
    merge = { $0[keyPath: path].merge($1[keyPath: path]) }
    misfit = { $0[keyPath: path].misfit(name, $1) { isKnown($0, $1) } }
  }

  /// Sums by key, as `SumsByKey` holds them.
  init<Key: Sendable, Sums: Mergeable>(
    _ name: String, _ path: Path<SumsByKey<Key, Sums>>, keys isKnown: @escaping Known<Key>
  ) {
    merge = { whole, other in whole[keyPath: path].merge(other[keyPath: path]) { $0.merge($1) } }
    misfit = { whole, shape in
      for (key, sums) in whole[keyPath: path].all {
        guard isKnown(key, shape) else { return name }
        if let misfit = sums.misfit(shape) { return misfit }
      }
      return nil
    }
  }

  /// Things that are found, each known by a number.
  init<Element: Sendable>(_ name: String, _ path: Path<Set<Element>>, known isKnown: @escaping Known<Element>) {
    merge = { $0[keyPath: path].formUnion($1[keyPath: path]) }
    misfit = { whole, shape in whole[keyPath: path].allSatisfy { isKnown($0, shape) } ? nil : name }
  }

  /// Sums by place.
  ///
  /// - Parameter count: how many places there are.
  init<Sums: Mergeable>(
    _ name: String, _ path: Path<[Sums]>, count: @escaping @Sendable (_ shape: SumsShape) -> Int
  ) {
    merge = { whole, other in whole[keyPath: path].merge(other[keyPath: path]) { $0.merge($1) } }
    misfit = { whole, shape in
      let sums = whole[keyPath: path]
      guard sums.count == count(shape) else { return name }
      return sums.lazy.compactMap { $0.misfit(shape) }.first
    }
  }

  /// Sums by place, and there by key.
  ///
  /// - Parameter isKnown: whether a key is one of the run's at that place.
  init<Key: Sendable, Sums: Mergeable>(
    _ name: String, _ path: Path<[[Key: Sums]]>, count: @escaping @Sendable (_ shape: SumsShape) -> Int,
    keys isKnown: @escaping @Sendable (_ key: Key, _ place: Int, _ shape: SumsShape) -> Bool
  ) {
    merge = { whole, other in whole[keyPath: path].merge(other[keyPath: path]) { $0.merge($1) } }
    misfit = { whole, shape in
      let sums = whole[keyPath: path]
      guard sums.count == count(shape) else { return name }
      return sums.enumerated().lazy.compactMap { place, sums in
        sums.misfit(name, shape) { isKnown($0, place, $1) }
      }.first
    }
  }
}

extension Dictionary where Value: Mergeable {
  /// Adds sums key by key.
  mutating func merge(_ other: Self) {
    for (key, theirs) in other { if self[key] == nil { self[key] = theirs } else { self[key]!.merge(theirs) } }
  }

  fileprivate func misfit(
    _ name: String, _ shape: SumsShape, keys isKnown: (Key, SumsShape) -> Bool
  ) -> String? {
    for (key, sums) in self {
      guard isKnown(key, shape) else { return name }
      if let misfit = sums.misfit(shape) { return misfit }
    }
    return nil
  }
}

extension Array {
  /// Merges what stands at the same place of a list as long.
  mutating func merge(_ other: Self, each merge: (inout Element, Element) -> Void) {
    for place in indices { merge(&self[place], other[place]) }
  }
}

// MARK: - Plain sums

extension Int: PlainSums {
  mutating func merge(_ other: Int) { self += other }
}

extension Int128: PlainSums {
  mutating func merge(_ other: Int128) { self += other }
}

/// Something happened, to any of the users.
extension Bool: PlainSums {
  mutating func merge(_ other: Bool) { self = self || other }
}

extension DisplayedCharges.Counts: PlainSums {
  mutating func merge(_ other: Self) {
    charges += other.charges
    compared += other.compared
    differing += other.differing
    example = [example, other.example].compactMap(\.self).min()
  }
}

extension FailureCount.Counts: PlainSums {
  mutating func merge(_ other: Self) {
    events += other.events
    transactions += other.transactions
    users += other.users
  }
}

extension GroupPayments.Sums: PlainSums {}
extension MoneyCounts: PlainSums {}
extension ProductSales.Sums: PlainSums {}
extension PurchaseTimes: PlainSums {}
extension RowOutcomes: PlainSums {}
extension Sales: PlainSums {}
extension ShownUsers: PlainSums {}
