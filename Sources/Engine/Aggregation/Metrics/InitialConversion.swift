extension MetricDefinition {
  /// Users who began anything: a trial, a subscription, a one-time access.
  static let initialConversion = MetricDefinition(name: "initial_conversion", kind: .proportion) { context in
    { user, window in
      let first = [EventType.trialStart, .purchase, .oneTimePurchase]
      return .indicator(first.contains { context.count(of: $0, by: user, in: window) > 0 })
    }
  }
}
