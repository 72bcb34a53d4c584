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

/// A property of a tally: how two are added, and what is asked of one from elsewhere. There is no way to declare a list
/// without its length, nor keys without what tells those that are known.
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
  init<Value: Sendable>(
    extreme path: Path<Value>, _ choose: @escaping @Sendable (Value, Value) -> Value
  ) {
    merge = { $0[keyPath: path] = choose($0[keyPath: path], $1[keyPath: path]) }
    misfit = { _, _ in nil }
  }

  /// A sum that is held at its largest value where it has left its bits.
  init(saturating path: Path<Int128>) {
    merge = { whole, other in
      let (sum, isTooLarge) = whole[keyPath: path].addingReportingOverflow(other[keyPath: path])
      whole[keyPath: path] = isTooLarge ? .max : sum
    }
    misfit = { _, _ in nil }
  }

  /// What all sums of one place have in common.
  init<Value: Sendable>(common path: Path<Value>) {
    merge = { _, _ in }
    misfit = { _, _ in nil }
  }

  /// A list that goes on with other users'.
  init<Element: Sendable>(joined path: Path<[Element]>) {
    merge = { $0[keyPath: path] += $1[keyPath: path] }
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
    keys isKnown: @escaping @Sendable (_ key: Key, _ position: Int, _ shape: SumsShape) -> Bool
  ) {
    merge = { whole, other in whole[keyPath: path].merge(other[keyPath: path]) { $0.merge($1) } }
    misfit = { whole, shape in
      let sums = whole[keyPath: path]
      guard sums.count == count(shape) else { return name }
      return sums.enumerated().lazy.compactMap { position, sums in
        sums.misfit(name, shape) { isKnown($0, position, $1) }
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
    for position in indices { merge(&self[position], other[position]) }
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

extension RowOutcomes: PlainSums {}

extension DisplayedCharges.Counts: Tally {
  static let parts: [TallyPart<Self>] = [
    TallyPart(\.charges), TallyPart(\.compared), TallyPart(\.differing),
    TallyPart(extreme: \.example) { [$0, $1].compactMap(\.self).min() },
  ]
}

extension FailureCount.Counts: Tally {
  static let parts: [TallyPart<Self>] = [TallyPart(\.events), TallyPart(\.transactions), TallyPart(\.users)]
}

extension GroupPayments.Sums: Tally {
  static let parts: [TallyPart<Self>] = [
    TallyPart(\.buyers), TallyPart(\.charges), TallyPart(\.gross), TallyPart(\.refunds), TallyPart(\.firsts),
    TallyPart(\.firstGross), TallyPart(saturating: \.firstSquares),
  ]
}

extension MoneyCounts: Tally {
  static let parts: [TallyPart<Self>] = [
    TallyPart(\.reported), TallyPart(\.charges), TallyPart(\.otherItems), TallyPart(\.reportedInDollars),
    TallyPart(\.refunds), TallyPart(\.refundsBeyondCharge),
  ]
}

extension ProductSales.Sums: Tally {
  static let parts: [TallyPart<Self>] = [
    TallyPart(\.buyers), TallyPart(\.firstBuyers), TallyPart(\.charges), TallyPart(\.refundedCharges),
    TallyPart(\.gross),
    TallyPart(\.net), TallyPart(\.proceeds),
  ]
}

extension PurchaseTimes: Tally {
  static let parts: [TallyPart<Self>] = [
    TallyPart(\.before), TallyPart(\.after), TallyPart(\.ofUnknownOrder), TallyPart(extreme: \.latest, max),
    TallyPart(\.buyers), TallyPart(\.boughtOnlyBefore), TallyPart(\.onlyBefore), TallyPart(\.onlyBeforeThatDay),
  ]
}

extension Sales: Tally {
  static let parts: [TallyPart<Self>] = [
    TallyPart(\.users), TallyPart(\.payers), TallyPart(\.charges), TallyPart(\.gross), TallyPart(\.net),
    TallyPart(\.proceeds), TallyPart(\.tax),
  ]
}

extension ShownUsers: Tally {
  static let parts: [TallyPart<Self>] = [TallyPart(\.any), TallyPart(\.viewed), TallyPart(\.served)]
}
