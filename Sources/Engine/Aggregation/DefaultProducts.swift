import Domain

extension Catalog {
  /// The default products of each group, by numbers; only what the run has met.
  func defaultProducts(names: EventNames, facts: ProductFacts) -> [ArmKey: Set<UInt32>] {
    byArm(names: names, facts: facts) { sold, number in
      Set(sold.lazy.filter(\.isDefault).compactMap { number[$0.id] })
    }
  }

  /// What `value` makes of the products that each group sells, and of products' numbers; only groups the run has met.
  func byArm<Value>(
    names: EventNames, facts: ProductFacts, _ value: ([Product], [Identifier: UInt32]) -> Value
  ) -> [ArmKey: Value] {
    let (offerings, groups) = (Self.numbers(names.offerings.names), Self.numbers(names.groups.names))
    let numbers = Self.numbers(facts.ids)
    var values: [ArmKey: Value] = [:]
    for (arm, sold) in products {
      guard let offering = offerings[arm.offering], let group = groups[arm.group] else { continue }
      values[ArmKey(offering: offering, group: group)] = value(sold, numbers)
    }
    return values
  }

  private static func numbers(_ names: [Identifier]) -> [Identifier: UInt32] {
    Dictionary(uniqueKeysWithValues: zip(names, 0...))
  }
}
