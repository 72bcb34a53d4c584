import Jobs

/// What the tables of a group need to know of the job, with names resolved to numbers.
struct GroupTablePlan: Sendable {
  var funnels: [CompiledFunnel]
  var validations: ReceiptValidations
  /// What each group displays as its products' prices.
  let displayedPrices: DisplayedPrices
  /// Over which time payments are counted.
  let payments: PaymentPlan
  /// What the logs tell of charges' attributes.
  var details: ChargeDetailsIndex

  init(
    job: Job, types: EventTypes, details: ChargeDetailsIndex, displayedPrices: DisplayedPrices, payments: PaymentPlan
  ) {
    self.details = details
    self.payments = payments
    funnels = job.funnels.map { CompiledFunnel($0, types: types) }
    validations = ReceiptValidations(types)
    self.displayedPrices = displayedPrices
  }
}
