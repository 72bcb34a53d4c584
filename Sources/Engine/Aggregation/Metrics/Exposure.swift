import Measurement

extension MetricDefinition {
  /// Users the offering was shown to.
  static let exposure = MetricDefinition(
    name: "exposure", meaning: "saw the paywall", kind: .proportion, isMovedByRefunds: { _ in false },
    wording: { _ in
      MetricWording("Users who saw the paywall", "shows the paywall to", fewer: "users").seen(
        "{} of {users} saw the paywall")
    }
  ) { context in
    { user, window in
      .indicator(context.events(of: .paywallView, by: user, in: window).contains { _ in true })
    }
  }
}
