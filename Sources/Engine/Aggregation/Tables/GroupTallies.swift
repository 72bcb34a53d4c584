import Domain
import Measurement

/// What is counted of a group's measured users beside the metrics, for tables of their own.
struct GroupTallies: Tally {
  var arrivals = ArrivalTally()
  var payments = PaymentTally()
  var sales = Sales()
  var products = ProductTally()
  var attributes: AttributeTally
  var funnels: FunnelTally
  var states = StateTally()
  var failures = FailureTally()
  var trialDays = TrialDayTally()
  var displayPrices = DisplayPriceTally()
  var credits = CreditTally()
  var chargedPrices = ChargedPriceTally()

  static let parts: [TallyPart<Self>] = [
    TallyPart(\.arrivals), TallyPart(\.payments), TallyPart(\.sales), TallyPart(\.products), TallyPart(\.attributes),
    TallyPart(\.funnels), TallyPart(\.states), TallyPart(\.failures), TallyPart(\.trialDays),
    TallyPart(\.displayPrices), TallyPart(\.credits), TallyPart(\.chargedPrices),
  ]

  init(_ plan: GroupTablePlan) {
    attributes = AttributeTally(attributes: plan.details.attributes.count)
    funnels = FunnelTally(plan.funnels)
  }

  /// Adds a user measured from `start`, in milliseconds; one without any event needs not be added.
  mutating func add(_ member: UserInGroup, from start: Int64, _ plan: GroupTablePlan) {
    let user = member.history
    if !user.charges.isEmpty {
      sales.add(user, from: start)
      products.add(user, from: start)
      chargedPrices.add(user, from: start)
      attributes.add(user, from: start)
      displayPrices.add(user, of: member.group, from: start, plan.displayedPrices)
    }
    trialDays.add(user, from: start)
    funnels.add(user, from: start, plan.funnels)
    states.add(user)
    failures.add(user, from: start, plan)
    if let credits = plan.credits { self.credits.add(member, from: start, credits) }
  }
}

extension GroupTables {
  /// Puts names for numbers, all in order of the names' bytes.
  init(_ tallies: GroupTallies, _ names: GroupNames) {
    self.init()
    arrivals = tallies.arrivals.days
    payments = GroupPayments(tallies.payments, facts: names.facts)
    sales = tallies.sales
    sales.users = names.measuredUsers
    products = tallies.products.named(names)
    attributes = names.attributes.sales(tallies.attributes)
    funnels = tallies.funnels.counts
    states = tallies.states.users(of: names.measuredUsers)
    failures = tallies.failures.named(names)
    receipts = tallies.failures.receipts
    trialDays = tallies.trialDays.days
    displayPrices = tallies.displayPrices.named(names)
    credits = tallies.credits.comparison
    prices = tallies.chargedPrices.prices(names)
  }
}

/// What the numbers in a group's tallies stand for.
struct GroupNames {
  /// The group's measured users, those who did nothing among them.
  let measuredUsers: Int
  let facts: ProductFacts
  let types: EventTypes
  /// By a code's number.
  let codes: [Identifier]
  /// The prices that the group displays, by product.
  let displayed: [UInt32: CurrencyAmount]
  /// The values of charges' attributes in the offering.
  let attributes: AttributeValueNames
}
