import Domain
import Jobs
import Measurement

extension MetricDefinition {
  private static let numerator = MetricOption.eventTypes("numerator", "an event type, or several: `[a, b]`")
  private static let denominator = MetricOption.eventTypes("denominator", "an event type, or several: `[a, b]`")

  /// Events of the types `numerator:` for each event of the types `denominator:`.
  static let countRatio = MetricDefinition(
    name: "count_ratio", meaning: "events of the types `numerator`; per event of the types `denominator`", kind: .ratio,
    isMovedByRefunds: { _ in false }, options: [numerator, denominator],
    perUser: MetricPerUser(
      kind: .mean,
      wording: { request in
        let above = MetricWording.events(request[numerator])
        return MetricWording("Events \(above) per user", "has", fewer: "\(above) events per user")
      }, ofThose: "for each event it is divided by"),
    wording: { request in
      let (above, below) = (MetricWording.events(request[numerator]), MetricWording.events(request[denominator]))
      return MetricWording("Events \(above) per \(below)", "has", fewer: "\(above) events per \(below)")
    }
  ) { context in
    let above = context.request[numerator].compactMap { context.types.type(named: $0) }
    let below = context.request[denominator].compactMap { context.types.type(named: $0) }
    return { user, window in
      Quantity(
        y: above.reduce(0) { $0 + Int128(context.count(of: $1, by: user, in: window)) },
        x: below.reduce(0) { $0 + Int128(context.count(of: $1, by: user, in: window)) })
    }
  }
}
