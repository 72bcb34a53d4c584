import Measurement

extension MetricDefinition {
  /// Users who began anything: a trial, a subscription, a one-time access.
  static let initialConversion = MetricDefinition(
    name: "initial_conversion", meaning: "began a trial or a subscription, or bought once", kind: .proportion,
    isMovedByRefunds: { _ in false },
    wording: { _ in
      MetricWording("Users who began a trial or bought", "wins", fewer: "users who begin a trial or buy")
        .seen("{} of {users} began a trial or bought")
    }
  ) { context in
    let first = [EventType.trialStart, .purchase, .oneTimePurchase]
    return { user, window in .indicator(first.contains { context.count(of: $0, by: user, in: window) > 0 }) }
  }
}
