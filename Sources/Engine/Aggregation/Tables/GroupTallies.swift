import Domain
import Measurement

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

extension GroupTables {
  /// Puts names for numbers, all in order of the names' bytes.
  ///
  /// - Parameters:
  ///   - displayed: the prices that the group displays, by product.
  ///   - legend: the names of charges' attributes' values in the offering.
  init(
    _ tallies: GroupTallies, measuredUsers: Int, facts: ProductFacts, types: EventTypes, codes: [Identifier],
    displayed: [UInt32: CurrencyAmount], legend: AttributeLegend
  ) {
    self.init()
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
