import Jobs

/// What the tables of a group need to know of the job, with names resolved to numbers.
struct GroupTablePlan: Sendable {
  var funnels: [CompiledFunnel]
  /// The types of events that tell how sending a receipt went.
  var validations: [EventType]
  /// What each group displays as its products' prices.
  var displayedPrices: [GroupKey: [UInt32: DisplayPrice.Amount]]
  /// What the logs tell of charges' attributes.
  var details: ChargeDetailsIndex

  init(
    job: Job, types: EventTypes, details: ChargeDetailsIndex, displayedPrices: [GroupKey: [UInt32: DisplayPrice.Amount]]
  ) {
    self.details = details
    funnels = job.funnels.map { CompiledFunnel($0, types: types) }
    validations = types.validations
    self.displayedPrices = displayedPrices
  }
}

/// What is counted of a group's measured users beside the metrics, for tables of their own.
struct GroupTallies: Sendable {
  var sales = Sales()
  var products = ProductTally()
  var attributes: AttributeTally
  var funnels: FunnelTally
  var states = StateTally()
  var failures = FailureTally()
  var trialDays = TrialDayTally()
  var displayPrices = DisplayPriceTally()

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
      attributes.add(user, from: start)
      if let displayed = plan.displayedPrices[member.group] { displayPrices.add(user, from: start, displayed) }
    }
    trialDays.add(user, from: start)
    funnels.add(user, from: start, plan.funnels)
    states.add(user)
    failures.add(user, from: start, plan.validations)
  }

  mutating func merge(_ other: GroupTallies) {
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
