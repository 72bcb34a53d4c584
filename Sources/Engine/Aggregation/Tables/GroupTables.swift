import Domain

/// What is counted of a group's measured users beside the metrics, for tables of their own.
struct GroupTallies: Sendable, Codable {
  var arrivals = ArrivalTally()
  var payments: PaymentTally
  var sales = Sales()
  var products = ProductTally()
  var attributes: AttributeTally
  var funnels: FunnelTally
  var states = StateTally()
  var failures = FailureTally()
  var trialDays = TrialDayTally()
  var displayPrices = DisplayPriceTally()

  /// - Parameter partition: the partition of all users that are going to be added.
  init(_ plan: GroupTablePlan, partition: Int) {
    payments = PaymentTally(partition: partition)
    attributes = AttributeTally(attributes: plan.details.attributes.count)
    funnels = FunnelTally(plan.funnels)
  }

  /// Adds a user measured from `start`, in milliseconds; one without any event needs not be added.
  mutating func add(_ member: UserInGroup, from start: Int64, _ plan: GroupTablePlan) {
    let user = member.history
    if !user.charges.isEmpty {
      sales.add(user, from: start)
      products.add(user, from: start)
      attributes.add(user, from: start)
      displayPrices.add(user, of: member.group, from: start, plan.displayedPrices)
    }
    trialDays.add(user, from: start)
    funnels.add(user, from: start, plan.funnels)
    states.add(user)
    failures.add(user, from: start, plan.validations)
  }

  mutating func merge(_ other: GroupTallies) {
    arrivals.merge(other.arrivals)
    payments.merge(other.payments)
    sales.merge(other.sales)
    products.merge(other.products)
    attributes.merge(other.attributes)
    funnels.merge(other.funnels)
    states.merge(other.states)
    failures.merge(other.failures)
    trialDays.merge(other.trialDays)
    displayPrices.merge(other.displayPrices)
  }
}

/// A group's tables by name: what its users bought, how far they came, where they stand, what failed.
package struct GroupTables: Sendable {
  /// When its measured users' time began, by day.
  package var arrivals: [ArrivalDay] = []
  /// What its users paid while the money that leads was measured, by block of users.
  package var payments = GroupPayments()
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

extension GroupTables {
  /// Puts names for numbers, all in order of the names' bytes.
  ///
  /// - Parameters:
  ///   - displayed: the prices that the group displays, by product.
  ///   - legend: the names of charges' attributes' values in the offering.
  init(
    _ tallies: GroupTallies, measuredUsers: Int, facts: ProductFacts, types: EventTypes, codes: [Identifier],
    displayed: [UInt32: DisplayPrice.Amount], legend: AttributeLegend
  ) {
    arrivals = tallies.arrivals.days
    payments = GroupPayments(tallies.payments, facts: facts)
    sales = tallies.sales
    sales.users = measuredUsers
    products = tallies.products.sums.all
      .map { ProductSales(product: facts.ids[Int($0.key.product)], kind: $0.key.kind, sums: $0.sums) }
      .sorted { ($0.product, $0.kind.rawValue) < ($1.product, $1.kind.rawValue) }
    attributes = legend.sales(tallies.attributes)
    funnels = tallies.funnels.counts
    states = tallies.states.users(of: measuredUsers)
    failures = tallies.failures.counts
      .map { key, counts in
        FailureCount(
          event: types.names[Int(key.type.code)], code: codes[Int(key.code)],
          isOfReceipt: types.validations.contains(key.type), counts: counts)
      }
      .sorted { ($0.event, $0.code) < ($1.event, $1.code) }
    receipts = tallies.failures.receipts
    trialDays = tallies.trialDays.days
    displayPrices = tallies.displayPrices.counts.all
      .compactMap { product, counts in
        displayed[product].map { DisplayedCharges(product: facts.ids[Int(product)], displayed: $0, counts: counts) }
      }
      .sorted { $0.product < $1.product }
  }
}
