import Measurement

extension MetricDefinition {
  /// What a user's charges have put on the balance.
  static let creditsGranted = MetricDefinition(
    name: "credits_granted",
    meaning: "the products' credits of the charges; a charge refunded even in part grants none", kind: .mean,
    needsCharge: true, needsCredits: true,
    wording: { _ in MetricWording("Credits granted per user", "grants", fewer: "credits per user") }
  ) { context in
    { user, window in Quantity(y: context.creditsGranted(to: user, in: window)) }
  }
}

extension MetricContext {
  /// The credits of the charges inside the window; one that was refunded, in full or in part, grants none.
  func creditsGranted(to user: UserInGroup, in window: Range<Int64>) -> Int128 {
    charges(of: user, in: window).reduce(0) { sum, charge in
      charge.refunded == 0 ? sum + Int128(facts.credits[Int(charge.product)]) : sum
    }
  }
}
