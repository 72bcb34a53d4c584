/// Products that give access at the cut-off and whose period nothing tells, where that leaves an end or a metric open.
struct UnknownPeriods {
  /// By number of the product in how many offerings its users are.
  private(set) var users: [UInt32: Int] = [:]
  /// A metric needs the period of every product that gives access.
  private let areAllAsked: Bool

  init(areAllAsked: Bool) {
    self.areAllAsked = areAllAsked
  }

  mutating func look(at user: UserHistory) {
    guard !user.charges.isEmpty else { return }
    var products = Set(user.productsOfUnknownEnd)
    if areAllAsked { addProductsWithoutPeriod(of: user, to: &products) }
    for product in products { users[product, default: 0] += 1 }
  }

  private func addProductsWithoutPeriod(of user: UserHistory, to products: inout Set<UInt32>) {
    for interval in user.access.intervals where !user.hasCome(interval.accessEnd) {
      let charge = user.charges[interval.charge]
      if user.period(of: charge) == nil { products.insert(charge.product) }
    }
  }
}
