extension MetricDefinition {
  /// How often a user was charged, free charges included.
  package static let charges = MetricDefinition(name: "charges", kind: .mean) { context in
    { user, window in
      Quantity(y: context.charges(of: user, in: window).reduce(0) { count, _ in count + 1 })
    }
  }
}
