extension MetricDefinition {
  /// What a user's charges have put on the balance; one that was refunded, in full or in part, grants nothing.
  static let creditsGranted = MetricDefinition(name: "credits_granted", kind: .mean) { context in
    { user, window in
      let kept = context.charges(of: user, in: window).lazy.filter { $0.refunded == 0 }
      return Quantity(y: kept.reduce(0) { $0 + Int128(context.facts.credits[Int($1.product)]) })
    }
  }
}
