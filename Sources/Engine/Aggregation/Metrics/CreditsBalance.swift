extension MetricDefinition {
  /// What is left of a user's credits: those to start with, and those that charges granted, less one for each event
  /// that spends one; never below 0. The users who have none left are counted beside it.
  static let creditsBalance = MetricDefinition(
    name: "credits_balance", kind: .mean, countsZeros: true, options: [.starting, .spentBy],
    ofIdleUser: { Quantity(y: Int128($0.request.startingCredits)) }
  ) { context in
    let starting = Int128(context.request.startingCredits)
    let spending = context.request.spentBy.compactMap { context.types.type(named: $0) }
    return { user, window in
      let spent = spending.reduce(Int128(0)) { $0 + Int128(context.count(of: $1, by: user, in: window)) }
      return Quantity(y: max(0, starting + context.creditsGranted(to: user, in: window) - spent))
    }
  }
}
