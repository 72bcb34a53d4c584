import Measurement

extension MetricDefinition {
  /// Of the users who bought anything, those who took what their group's paywall had preselected.
  static let defaultUptake = MetricDefinition(
    name: "default_uptake",
    meaning: "the first charge was what the group's paywall had preselected (catalog); per user with a charge",
    kind: .ratio, needsCharge: true,
    catalogUse: "whose products table says what each group has preselected",
    perUser: .users(who: "buy the default", did: "bought the default", ofThose: "of its buyers"),
    wording: { _ in
      MetricWording("Buyers who took the default", "sells the default to", fewer: "of its buyers").seen(
        "{} of buyers took the default")
    }
  ) { context in
    { user, window in
      guard let first = context.charges(of: user, in: window).first(where: { _ in true }) else { return .zero }
      let isDefault = context.defaults[user.group]?.contains(first.product) ?? false
      return Quantity(y: isDefault ? 1 : 0, x: 1)
    }
  }
}
