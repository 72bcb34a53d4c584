import Analysis
import Domain
import Engine

/// Why a group's value of a primary metric is not what it was on the night before.
struct ValueChange {
  let metric: StoryMetric
  let group: StoryGroup
  /// The date of the night before, `2026-03-30`.
  let since: String
  /// The two nights' values, in the metric's unit; nil where a night had none.
  let before: Double?
  let now: Double?
  /// What changed, in the order it is counted in; parts that changed neither users nor sums are left out.
  let parts: [Part]

  struct Part: Hashable {
    let part: ChangePart
    /// Users who came into the value's denominator by it, or left it.
    let users: Int
    /// How far it moved the value, in the metric's unit; nil where one of the nights had none.
    let change: Double?
  }

  /// `Net revenue per user of group_a went from 3.1 USD to 3.24 USD since the night of 2026-03-30: +0.2 USD from windows
  /// that ended, -0.06 USD from refunds.`
  var sentence: String {
    let name = "\(metric.label) of \(group.text)"
    guard let now else { return "\(name) has no value yet." }
    let value = metric.unit.words(now)
    guard let before else { return "\(name) is \(value); it had no value on the night of \(since)." }
    let way =
      before == now
      ? "stayed at \(value)" : "went from \(metric.unit.words(before)) to \(value)"
    let reasons = parts.compactMap { part in
      part.change.flatMap { $0 == 0 ? nil : "\(metric.unit.changeWords($0)) from \(part.part.words)" }
    }
    return "\(name) \(way) since the night of \(since)\(reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", "))."
  }
}

extension ValueChange {
  /// One for each primary metric and group, the baseline first; none where no night is before this one.
  static func all(in source: OfferingSource) -> [ValueChange] {
    let rows = Dictionary(grouping: source.rows(.changes), by: source.metric)
    return rows.sorted { $0.key < $1.key }.flatMap { metric, rows in
      Dictionary(grouping: rows, by: source.group).sorted { $0.key < $1.key }.compactMap { group, rows in
        rows.first.map { ValueChange($0, rows, metric: metric, group: group) }
      }
    }
  }

  private init(_ first: Table.Row, _ rows: [Table.Row], metric: StoryMetric, group: StoryGroup) {
    self.metric = metric
    self.group = group
    since = first.text("previous_night")
    before = first.micros("previous_value").map(Self.units)
    now = first.micros("value").map(Self.units)
    parts = rows.compactMap { row in
      let part = Part(
        part: ChangePart(rawValue: row.text("part")) ?? .changedPast, users: row.integer("users_change") ?? 0,
        change: row.micros("value_change").map(Self.units))
      let isNothing =
        part.users == 0 && row.sum("numerator_change") == 0 && row.integer("denominator_change") == 0
      return isNothing ? nil : part
    }
  }

  private static func units(_ micros: Int128) -> Double { Double(micros) / 1_000_000 }
}

extension Unit {
  /// `+0.2 USD`, `-0.06 points` (of a share, a hundredth of it each), `+1.5`.
  func changeWords(_ change: Double) -> String {
    let sign = change > 0 ? "+" : "-"
    guard self == .share else { return sign + words(change.magnitude) }
    return "\(sign)\(Phrase.decimal(change.magnitude * 100, decimals: 3)) points"
  }
}

extension ChangePart {
  /// As a reader meets it: `+0.2 USD from windows that ended`.
  var words: String {
    switch self {
    case .correctedRows: "corrected rows"
    case .changedJob: "the changed job"
    case .changedPast: "files and a job that changed"
    case .lateRows: "late rows"
    case .movedCap: "the cap that moved"
    case .newUsers: "new users"
    case .windowsEnded: "windows that ended"
    case .multipleGroups: "users now in several groups"
    case .laterEvents: "later events"
    case .refunds: "refunds"
    case .notSplit: "all there is"
    }
  }
}
