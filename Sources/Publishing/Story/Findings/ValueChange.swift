import Analysis
import Domain
import Measurement

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

  /// `group_a went from 3.10 USD to 3.24 USD, most of it by windows that ended (+0.20 USD)`
  var clause: String {
    let unit = metric.unit
    guard let now else { return "\(group.inWords) has no value yet" }
    let digits = unit.digits([before, now].compactMap(\.self))
    let value = digits.text(now) + unit.suffix
    guard let before else { return "\(group.inWords) is \(value) and had no value before" }
    let way = before == now ? "stayed at \(value)" : "went from \(digits.text(before))\(unit.suffix) to \(value)"
    let moving = parts.filter { ($0.change ?? 0) != 0 }
    let largest = moving.max { ($0.change ?? 0).magnitude < ($1.change ?? 0).magnitude }
    let reason = largest.flatMap { part in
      part.change.map {
        ", \(moving.count == 1 ? "all" : "most") of it by \(part.part.words) (\(changeDigits.signed($0))\(unit.changeSuffix))"
      }
    }
    return "\(group.inWords) \(way)\(before == now ? "" : reason ?? "")"
  }

  /// The decimals of the parts and of what they come to.
  var changeDigits: Digits { metric.unit.digits(parts.compactMap(\.change)) }
}

extension ValueChange {
  /// One for each primary metric and group, the baseline first; none where no night is before this one.
  static func all(in source: OfferingSource) -> [ValueChange] {
    let rows = Dictionary(grouping: source.rows(of: ChangesTable())) { source.metric($0.metric) }
    return rows.sorted { $0.key < $1.key }.flatMap { metric, rows in
      Dictionary(grouping: rows) { source.group($0.group) }.sorted { $0.key < $1.key }.compactMap { group, rows in
        rows.first.map { ValueChange($0, rows, metric: metric, group: group) }
      }
    }
  }

  private init(
    _ first: Table.Row<ChangesTable>, _ rows: [Table.Row<ChangesTable>], metric: StoryMetric, group: StoryGroup
  ) {
    self.metric = metric
    self.group = group
    since = first.previousNight
    before = first.previousValue.map(Self.units)
    now = first.value.map(Self.units)
    parts = rows.compactMap { row in
      let part = Part(
        part: ChangePart(rawValue: row.part) ?? .changedPast, users: row.usersChange ?? 0,
        change: row.valueChange.map(Self.units))
      let isNothing = part.users == 0 && row.numeratorChange.exact == 0 && row.denominatorChange == 0
      return isNothing ? nil : part
    }
  }

  private static func units(_ micros: Int128) -> Double { Double(micros) / 1_000_000 }
}

extension Unit {
  /// What stands behind a change: of a share hundredths of it.
  var changeSuffix: String { self == .share ? " %-points" : suffix }
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
