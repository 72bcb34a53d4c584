import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// `event:` the type that is counted.
  private static let event = MetricOption.eventType("event", "an event type")
  /// `at_least:` how many of them it takes.
  private static let atLeast = MetricOption.whole("at_least", "how often it takes; 1 unless said", minimum: 1, usual: 1)

  /// Users with at least one event of the type `event:` names, or as many as `at_least:` says.
  static let eventRate = MetricDefinition(
    name: "event_rate", meaning: "did what `event` names, or did it `at_least` so often", kind: .proportion,
    isMovedByRefunds: { _ in false }, options: [event, atLeast],
    wording: { request in
      let name = MetricWording.events([request[event]])
      let users = request[atLeast] > 1 ? "with \(request[atLeast]) or more events \(name)" : "with event \(name)"
      return MetricWording("Users \(users)", "has", fewer: "users \(users)").seen(
        "{} of {users} had \(request[atLeast] > 1 ? "\(request[atLeast]) or more events" : "event") \(name)")
    }
  ) { context in
    let minimum = context.request[atLeast]
    let type = context.types.type(named: context.request[event])
    return { user, window in
      .indicator(type.map { context.count(of: $0, by: user, in: window) >= minimum } ?? false)
    }
  }

  /// How many events of that type a user has.
  static let eventCount = MetricDefinition(
    name: "event_count", meaning: "how often the user did what `event` names", kind: .mean,
    isMovedByRefunds: { _ in false }, options: [event],
    wording: { request in
      let name = MetricWording.events([request[event]])
      return MetricWording("Events \(name) per user", "has", fewer: "events \(name) per user")
    }
  ) { context in
    let type = context.types.type(named: context.request[event])
    return { user, window in
      Quantity(y: Int128(type.map { context.count(of: $0, by: user, in: window) } ?? 0))
    }
  }
}
