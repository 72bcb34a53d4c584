import Domain
import Jobs

/// What the tables of a group need to know of the job, with names resolved to numbers.
final class GroupTablePlan: Sendable {
  let funnels: [CompiledFunnel]
  let validations: ReceiptValidations
  /// The type of the server's answers on credits: their code is a number of credits, and no reason.
  let answersOnCredits: EventType?
  /// What each group displays as its products' prices.
  let displayedPrices: DisplayedPrices
  /// Over which time payments are counted.
  let payments: PaymentPlan
  /// What the server's answers on credits are held against; nil where there is none of the two.
  let credits: CreditPlan?
  /// What the logs tell of charges' attributes.
  let details: ChargeDetailsIndex

  init(
    job: Job, types: EventTypes, details: ChargeDetailsIndex, displayedPrices: DisplayedPrices, payments: PaymentPlan,
    credits: CreditPlan? = nil
  ) {
    self.details = details
    self.credits = credits
    self.payments = payments
    funnels = job.funnels.map { CompiledFunnel($0, types: types) }
    validations = ReceiptValidations(types)
    answersOnCredits = types.type(named: APIEventType.creditsReported.rawValue)
    self.displayedPrices = displayedPrices
  }
}
