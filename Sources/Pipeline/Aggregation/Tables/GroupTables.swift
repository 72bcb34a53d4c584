/// A group's tables by name: what its users bought, how far they came, where they stand, what failed.
struct GroupTables: Sendable {
  /// By product and kind.
  var products: [ProductSales] = []
  /// By funnel, in the job's order.
  var funnels: [FunnelCounts] = []
  /// Measured users in each state, in the order of `UserState.allCases`.
  var states = UserState.allCases.map { _ in 0 }
  /// By event and code.
  var failures: [FailureCount] = []
}

/// What a group's users bought of one product.
struct ProductSales: Sendable {
  var product: Identifier
  var kind: ProductKind
  var sums: ProductTally.Sums
}

/// One kind of failure.
struct FailureCount: Sendable {
  var event: Identifier
  var code: Identifier
  var counts: FailureTally.Counts
}

extension GroupTables {
  /// Puts names for numbers, all in order of the names' bytes.
  init(_ tables: ArmTables, measuredUsers: Int, facts: ProductFacts, types: EventTypes, codes: [Identifier]) {
    products = tables.products.sums
      .map { ProductSales(product: facts.ids[Int($0.key.product)], kind: $0.key.kind, sums: $0.value) }
      .sorted { ($0.product, $0.kind.rawValue) < ($1.product, $1.kind.rawValue) }
    funnels = tables.funnels.counts
    states = tables.states.users(of: measuredUsers)
    failures = tables.failures.counts
      .map { FailureCount(event: types.names[Int($0.key.type.code)], code: codes[Int($0.key.code)], counts: $0.value) }
      .sorted { ($0.event, $0.code) < ($1.event, $1.code) }
  }
}
