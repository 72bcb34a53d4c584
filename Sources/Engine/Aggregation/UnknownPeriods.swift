/// Products that give access at the cut-off and whose period nothing tells, where that leaves an end or a metric open.
struct UnknownPeriods {
  /// By number.
  private(set) var products: Set<UInt32> = []
  private let facts: ProductFacts
  /// A metric needs the period of every product that gives access.
  private let areAllAsked: Bool

  init(facts: ProductFacts, areAllAsked: Bool) {
    self.facts = facts
    self.areAllAsked = areAllAsked
  }

  mutating func look(at user: UserHistory) {
    guard !user.charges.isEmpty else { return }
    let unknown = user.productsOfUnknownEnd
    if !unknown.isEmpty { products.formUnion(unknown) }
    guard areAllAsked, let latest = user.access.latest, latest.accessEnd > user.cutoff else { return }
    let product = user.charges[latest.charge].product
    if facts.periods[Int(product)] == nil { products.insert(product) }
  }
}
