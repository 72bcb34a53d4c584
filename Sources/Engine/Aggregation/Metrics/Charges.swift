import Measurement

extension MetricDefinition {
  /// How often a user was charged, free charges included.
  package static let charges = MetricDefinition(
    name: "charges", meaning: "number of charges", kind: .mean, needsCharge: true, isMovedByRefunds: { _ in false },
    wording: { _ in MetricWording("Charges per user", "has", fewer: "charges per user") }
  ) { context in
    { user, window in
      Quantity(y: context.charges(of: user, in: window).reduce(0) { count, _ in count + 1 })
    }
  }
}
