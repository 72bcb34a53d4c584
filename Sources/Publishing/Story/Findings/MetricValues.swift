import Analysis
import Domain
import Statistics

/// Each group's value of one metric, over everybody.
struct MetricValues {
  let metric: StoryMetric
  /// The baseline first.
  let groups: [Value]

  struct Value {
    let group: StoryGroup
    /// Users the value rests on.
    let users: Int
    /// Users whose window has not ended at the cut-off.
    let immature: Int?
    /// In the metric's unit; nil where nothing can be computed yet.
    let value: Double?
    let interval: Interval?
    /// Users whose value is 0, of a metric that tells them.
    let zeroUsers: Int?

    /// The share of the users whose value is 0; nil where they are not counted, or there are no users.
    var zeroShare: Double? { zeroUsers.flatMap { users > 0 ? Double($0) / Double(users) : nil } }
  }
}

extension MetricValues {
  /// A value for each metric that has one.
  static func all(in source: OfferingSource) -> [MetricValues] {
    let rows = source.rows(.groupMetrics).filter { $0.name("segment") == CellKey.everybody }
    let byMetric = Dictionary(grouping: rows, by: source.metric)
    return byMetric.sorted { $0.key < $1.key }.map { metric, rows in
      MetricValues(metric: metric, groups: rows.map { Value($0, group: source.group($0)) })
    }
  }
}

extension MetricValues.Value {
  fileprivate init(_ row: Table.Row, group: StoryGroup) {
    self.group = group
    users = row.integer("users") ?? 0
    immature = row.integer("immature")
    value = row.real("value")
    interval = row.interval("ci_low", "ci_high")
    zeroUsers = row.integer("zero_users")
  }
}
