import Measurement

extension MetricDefinition {
  /// Of the charges, those of which a refund stands at the cut-off, in full or in part.
  static let refundRate = MetricDefinition(
    name: "refund_rate", meaning: "charges with a refund, in full or in part, that stands at the cut-off; per charge",
    kind: .ratio, needsCharge: true, isCost: true,
    perUser: .mean(
      MetricWording("Refunded charges per user", "has", fewer: "refunded charges per user"), ofThose: "of its charges"),
    wording: { _ in
      MetricWording("Refunded charges", "has", fewer: "of its charges refunded").seen("{} of charges were refunded")
    }
  ) { context in
    { user, window in
      var quantity = Quantity()
      for charge in context.charges(of: user, in: window) {
        quantity.x += 1
        if charge.refunded > 0 { quantity.y += 1 }
      }
      return quantity
    }
  }
}
