/// What is counted of a group's measured users beside the metrics, for tables of their own.
struct ArmTables: Sendable {
  var products = ProductTally()
  var funnels: FunnelTally
  var states = StateTally()
  var failures = FailureTally()

  init(funnels: [CompiledFunnel]) {
    self.funnels = FunnelTally(funnels)
  }

  /// Adds a user measured from `start`, in milliseconds; one without any event needs not be added.
  mutating func add(_ user: UserHistory, from start: Int64, _ plan: [CompiledFunnel]) {
    if !user.charges.isEmpty { products.add(user, from: start) }
    funnels.add(user, from: start, plan)
    states.add(user)
    failures.add(user, from: start)
  }

  mutating func merge(_ other: ArmTables) {
    products.merge(other.products)
    funnels.merge(other.funnels)
    states.merge(other.states)
    failures.merge(other.failures)
  }
}
