extension Catalog {
  /// The default products of each group, by numbers; only what the run has met.
  func defaultProducts(names: EventNames, facts: ProductFacts) -> [ArmKey: Set<UInt32>] {
    let (offerings, groups) = (Self.numbers(names.offerings.names), Self.numbers(names.groups.names))
    let numbers = Self.numbers(facts.ids)
    var defaults: [ArmKey: Set<UInt32>] = [:]
    for (arm, sold) in products {
      guard let offering = offerings[arm.offering], let group = groups[arm.group] else { continue }
      let own = sold.lazy.filter(\.isDefault).compactMap { numbers[$0.id] }
      defaults[ArmKey(offering: offering, group: group)] = Set(own)
    }
    return defaults
  }

  private static func numbers(_ names: [Identifier]) -> [Identifier: UInt32] {
    Dictionary(uniqueKeysWithValues: zip(names, 0...))
  }
}
