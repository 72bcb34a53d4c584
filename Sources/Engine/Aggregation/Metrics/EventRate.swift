extension MetricDefinition {
  /// Users with at least one event of the type `event:` names, or as many as `at_least:` says.
  static let eventRate = MetricDefinition(name: "event_rate", kind: .proportion, options: [.event, .atLeast]) {
    context in
    let fewest = context.request.fewestEvents
    let type = context.types.type(named: context.request.event ?? "")
    return { user, window in
      .indicator(type.map { context.count(of: $0, by: user, in: window) >= fewest } ?? false)
    }
  }

  /// How many events of that type a user has.
  static let eventCount = MetricDefinition(name: "event_count", kind: .mean, options: [.event]) { context in
    let type = context.types.type(named: context.request.event ?? "")
    return { user, window in
      Quantity(y: Int128(type.map { context.count(of: $0, by: user, in: window) } ?? 0))
    }
  }
}
