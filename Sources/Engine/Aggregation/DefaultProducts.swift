import Domain

extension Catalog {
  /// The default products of each group, by numbers; only what the run has met.
  func defaultProducts(names: EventNames, facts: ProductFacts) -> [GroupKey: Set<UInt32>] {
    byGroup(names: names, facts: facts) { sold, number in
      Set(sold.lazy.filter(\.isDefault).compactMap { number[$0.id] })
    }
  }

  /// What `value` makes of the products that each group sells, and of products' numbers; only groups the run has met.
  func byGroup<Value>(
    names: EventNames, facts: ProductFacts, _ value: ([Product], [Identifier: UInt32]) -> Value
  ) -> [GroupKey: Value] {
    let (offerings, groups) = (Self.numbers(names.offerings.names), Self.numbers(names.groups.names))
    let numbers = Self.numbers(facts.ids)
    var values: [GroupKey: Value] = [:]
    for (id, sold) in products {
      guard let offering = offerings[id.offering], let group = groups[id.group] else { continue }
      values[GroupKey(offering: offering, group: group)] = value(sold, numbers)
    }
    return values
  }

  private static func numbers(_ names: [Identifier]) -> [Identifier: UInt32] {
    Dictionary(uniqueKeysWithValues: zip(names, 0...))
  }
}
