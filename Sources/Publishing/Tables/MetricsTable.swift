import Analysis
import Domain
import Measurement

/// `metrics.csv`: what each metric of the night is called and counted in.
struct MetricsTable: ResultTable {
  typealias Record = NamedMetric
  let name = "metrics"
  let meaning = "The night's metrics: what people call them, their unit and window, and which way is better."
  let records = Records<Record>.held { night in NamedMetric.all(of: night) }

  let id = Name("id", "the metric, as `metric` names it in other tables", isKey: true, \.id)
  let label = Text("label", "what people call it", \.label)
  let unit = Text(
    "unit", "what its value is counted in: the reporting currency, `share` or empty for a plain number", \.unit)
  let windowDays = Real(
    "window_days", "days after assignment that count; empty without a window", in: .days, \.windowDays)
  let goal = Text("goal", "increase or decrease: which way is better; empty where nothing is compared", \.goal)
}

/// A metric of a night.
struct NamedMetric {
  let id: Identifier
  let label: String
  let unit: String
  /// Nil is `window: none`.
  let windowDays: Double?
  /// Nil where nothing is compared by it.
  let goal: String?

  static func all(of night: NightResult) -> [NamedMetric] {
    let goals = Dictionary(night.comparisons.map { ($0.key.metric, $0.goal.rawValue) }) { first, _ in first }
    let rows = Dictionary(night.groupMetrics.map { ($0.key.metric, $0) }) { first, _ in first }
    return rows.map { id, row in
      NamedMetric(
        id: id, label: night.wordings[id]?.label ?? id.text,
        unit: Unit(Unit.Name(kind: row.kind, isMoney: row.isMoney), currency: night.currency).name,
        windowDays: row.windowDays, goal: goals[id])
    }
  }
}

extension Unit {
  /// The currency, `share`, or nothing.
  fileprivate var name: String {
    switch self {
    case .money(let currency): currency
    case .share: Name.share.rawValue
    case .plain: ""
    }
  }
}
