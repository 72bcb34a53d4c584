import Domain

/// The columns that many tables have.
extension TableColumn where Value == String {
  /// The job's name, the first part of a key.
  static var job: Self { ofScope(.job, \.job) }

  /// The cut-off in RFC 3339, the second part of a key.
  static var asOf: Self { ofScope(.asOf, \.asOf) }

  /// The reporting currency.
  static var currency: Self {
    ofScope(Table.Column(name: "currency", type: .text, isKey: false, meaning: "the reporting currency"), \.currency)
  }

  private static func ofScope(_ column: Table.Column, _ text: @escaping @Sendable (TableScope) -> String?) -> Self {
    Self(column, value: \.text) { _, scope in text(scope).map(Table.Cell.text) ?? .empty }
  }
}

extension TableColumn where Value == Identifier {
  static func offering(_ id: @escaping Reader<Identifier>) -> Self {
    Self("offering_id", "the offering, as the assignments name it", isKey: true, id)
  }

  static func group(_ id: @escaping Reader<Identifier>) -> Self { Self("test_group_id", "the group", isKey: true, id) }

  static func segment(_ id: @escaping Reader<Identifier>) -> Self {
    Self("segment", "`all`, or `attribute=value`", isKey: true, id)
  }

  static func metric(_ id: @escaping Reader<Identifier>) -> Self {
    Self("metric", "the metric: its name and window, or its `id:` in the job", isKey: true, id)
  }
}

extension Table.Column {
  static let job = Self(name: "job", type: .text, isKey: true, meaning: "the job's name")
  static let asOf = Self(
    name: "as_of", type: .instant, isKey: true,
    meaning: "the cut-off, UTC: what came later is not counted")
}
