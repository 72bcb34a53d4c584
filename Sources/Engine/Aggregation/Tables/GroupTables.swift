import Domain
import Jobs

/// A group's tables by name: what its users bought, how far they came, where they stand, what failed.
package struct GroupTables: Sendable {
  /// What its measured users bought in all, between their assignment and the cut-off.
  package var sales = Sales()
  /// By product and kind.
  package var products: [ProductSales] = []
  /// By attribute and value.
  package var attributes: [AttributeSales] = []
  /// By funnel, in the job's order.
  package var funnels: [FunnelCounts] = []
  /// Measured users in each state, in the order of `UserState.allCases`.
  package var states = UserState.allCases.map { _ in 0 }
  /// By event and code.
  package var failures: [FailureCount] = []
  /// Distinct receipts that were sent to be validated.
  package var receipts = 0
  package var trialDays = TrialDays()
  /// By product.
  package var displayPrices: [DisplayedCharges] = []
}

/// A group's charges of one product held against the price it displays.
package struct DisplayedCharges: Sendable {
  package var product: Identifier
  package var displayed: DisplayPrice.Amount
  package var counts: DisplayPriceTally.Counts
}

/// What a group's users bought of one product.
package struct ProductSales: Sendable {
  package var product: Identifier
  package var kind: ProductKind
  package var sums: ProductTally.Sums
}

/// One kind of failure.
package struct FailureCount: Sendable {
  package var event: Identifier
  package var code: Identifier
  /// It tells how sending a receipt to be validated went.
  package var isOfReceipt = false
  package var counts: FailureTally.Counts
}

extension GroupTables {
  /// Puts names for numbers, all in order of the names' bytes.
  ///
  /// - Parameters:
  ///   - displayed: the prices that the group displays, by product.
  ///   - legend: the names of charges' attributes' values in the offering.
  init(
    _ tables: GroupTallies, measuredUsers: Int, facts: ProductFacts, types: EventTypes, codes: [Identifier],
    displayed: [UInt32: DisplayPrice.Amount], legend: AttributeLegend
  ) {
    sales = tables.sales
    sales.users = measuredUsers
    products = tables.products.sums
      .map { ProductSales(product: facts.ids[Int($0.key.product)], kind: $0.key.kind, sums: $0.value) }
      .sorted { ($0.product, $0.kind.rawValue) < ($1.product, $1.kind.rawValue) }
    attributes = legend.sales(tables.attributes)
    funnels = tables.funnels.counts
    states = tables.states.users(of: measuredUsers)
    failures = tables.failures.counts
      .map { key, counts in
        FailureCount(
          event: types.names[Int(key.type.code)], code: codes[Int(key.code)],
          isOfReceipt: types.validations.contains(key.type), counts: counts)
      }
      .sorted { ($0.event, $0.code) < ($1.event, $1.code) }
    receipts = tables.failures.receipts
    trialDays = tables.trialDays.days
    displayPrices = tables.displayPrices.counts
      .compactMap { product, counts in
        displayed[product].map { DisplayedCharges(product: facts.ids[Int(product)], displayed: $0, counts: counts) }
      }
      .sorted { $0.product < $1.product }
  }
}
