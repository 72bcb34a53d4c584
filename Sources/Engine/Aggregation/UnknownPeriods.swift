/// Products that give access at the cut-off and whose period nothing tells, where that leaves an end or a metric open.
struct UnknownPeriods {
  /// By number.
  private(set) var products: Set<UInt32> = []
  /// A metric needs the period of every product that gives access.
  private let areAllAsked: Bool

  init(areAllAsked: Bool) {
    self.areAllAsked = areAllAsked
  }

  mutating func look(at user: UserHistory) {
    guard !user.charges.isEmpty else { return }
    let unknown = user.productsOfUnknownEnd
    if !unknown.isEmpty { products.formUnion(unknown) }
    guard areAllAsked else { return }
    for stretch in user.access.stretches where stretch.accessEnd > user.cutoff {
      let charge = user.charges[stretch.charge]
      if user.period(of: charge) == nil { products.insert(charge.product) }
    }
  }
}
