import Domain

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
  /// By event, code and message.
  package var failures: [FailureCount] = []
  /// Distinct receipts that were sent to be validated.
  package var receipts = 0
  package var trialDays = TrialDays()
  /// By product.
  package var displayPrices: [DisplayedCharges] = []
  package var credits = CreditComparison()
  /// Of each product with one price, in nine of ten charges at least, what stands for it: alike for the same amount and
  /// currency.
  package var prices: [ProductPrice] = []

  package init() {}
}

/// How many of a group's measured users began on one day.
package struct ArrivalDay: Sendable, Hashable {
  /// UTC, days since 1970-01-01.
  package var day: Int64
  package var users: Int

  package init(day: Int64, users: Int) {
    self.day = day
    self.users = users
  }
}
