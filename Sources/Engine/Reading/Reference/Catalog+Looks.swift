import Domain

/// What a catalog tells, for whoever looks at one that nobody has described.
extension Catalog {
  /// The row ids of its groups, by which assignments may name them.
  package var groupRowIDs: Set<String> { Set(groupOfID.keys.map(\.text)) }

  /// Whether it says what some group sells.
  package var reportsProducts: Bool { !products.isEmpty }

  /// Whether it says what some group sells by default.
  package var reportsDefaults: Bool { products.values.contains { $0.contains(where: \.isDefault) } }
}

extension Products {
  /// Whether a charge of some product grants credits.
  package var grantsCredits: Bool { rows.values.contains { $0.credits > 0 } }
}
