/// What was counted of each group beside the metrics, as rows.
enum GroupRows {
  static func products(of offering: OfferingMeasurement) -> [ProductRow] {
    offering.groups.flatMap { group in
      group.tables.products.map { ProductRow(offering: offering.id, group: group.id, sales: $0) }
    }
  }

  /// Every state of every group, those that nobody is in too.
  static func states(of offering: OfferingMeasurement) -> [StateRow] {
    offering.groups.flatMap { group in
      zip(UserState.allCases, group.tables.states).map { state, users in
        StateRow(
          offering: offering.id, group: group.id, state: state, users: users,
          share: share(users, of: group.measuredUsers))
      }
    }
  }

  static func failures(of offering: OfferingMeasurement) -> [FailureRow] {
    offering.groups.flatMap { group in
      group.tables.failures.map { FailureRow(offering: offering.id, group: group.id, failure: $0) }
    }
  }

  /// Nil of nobody.
  static func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// What a group's users bought of one product.
struct ProductRow: Sendable {
  var offering: Identifier
  var group: Identifier
  var sales: ProductSales
}

/// How many of a group's users stand in one state at T.
struct StateRow: Sendable {
  var offering: Identifier
  var group: Identifier
  var state: UserState
  var users: Int
  /// Of all measured users.
  var share: Double?
}

/// One kind of failure among a group's users.
struct FailureRow: Sendable {
  var offering: Identifier
  var group: Identifier
  var failure: FailureCount
}
