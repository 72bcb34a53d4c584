import Domain
import Engine
import Jobs

/// Which metrics make an offering's verdict, and which of them leads it.
///
/// The primary metrics do; without any, the job's first that is no guardrail. Where groups sell at different prices,
/// revenue per assigned user leads, primary or not: a cheaper product converts better and may earn less.
enum LeadMetrics {
  /// The ids of the metrics that make the verdict, of all that a job asks for.
  static func speaking(_ requests: [MetricRequest]) -> [Identifier] {
    let primary = requests.filter(\.primary)
    let first = requests.first { !$0.guardrail } ?? requests.first
    return (primary.isEmpty ? [first].compactMap(\.self) : primary).map { Identifier($0.id) }
  }

  /// Revenue per assigned user at equal time: the first mean of money, a primary one if there is any.
  static func revenue(_ metrics: [MeasuredMetric]) -> MeasuredMetric? {
    let revenues = metrics.filter { $0.resultKind == .mean && $0.isMoney && !$0.isAtCutoff }
    return revenues.first(where: \.request.primary) ?? revenues.first
  }

  /// What makes the verdict is no mere description: marks its rows.
  static func markSpeaking(_ rows: inout [ComparisonRow], of requests: [MetricRequest]) {
    let speaking = Set(speaking(requests))
    for index in rows.indices where speaking.contains(rows[index].key.metric) { rows[index].isDescriptive = false }
  }
}
