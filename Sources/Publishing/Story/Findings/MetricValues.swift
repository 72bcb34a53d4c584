import Analysis
import Domain
import Statistics

/// Each group's value of one metric, over everybody.
struct MetricValues {
  let metric: StoryMetric
  /// The baseline first.
  let groups: [Value]

  /// What a group's share is of, where its value is the one that is told.
  func counts(of group: Identifier, value: Double?) -> String? {
    guard let own = groups.first(where: { $0.group.name == group }), let value, let plain = own.value,
      abs(plain - value) < 1e-9
    else { return nil }
    return own.counts
  }

  struct Value {
    let group: StoryGroup
    /// Users the value rests on.
    let users: Int
    /// Users whose window has not ended at the cut-off.
    let immature: Int?
    /// In the metric's unit; nil where nothing can be computed yet.
    let value: Double?
    let interval: Interval?
    /// What a share is of, `471 of 5,994`; nil of what is no share, or is not just that quotient.
    let counts: String?
    /// Users whose value is 0, of a metric that tells them.
    let zeroUsers: Int?

    /// The share of the users whose value is 0; nil where they are not counted, or there are no users.
    var zeroShare: Double? { zeroUsers.flatMap { users > 0 ? Double($0) / Double(users) : nil } }
  }
}

extension MetricValues {
  /// A value for each metric that has one.
  static func all(in source: OfferingSource) -> [MetricValues] {
    let rows = source.rows(of: GroupMetricsTable()).filter { $0.segment == CellKey.everybody }
    let byMetric = Dictionary(grouping: rows) { source.metric($0.metric) }
    return byMetric.sorted { $0.key < $1.key }.map { metric, rows in
      MetricValues(metric: metric, groups: rows.map { Value($0, of: metric, group: source.group($0.group)) })
    }
  }
}

extension MetricValues.Value {
  fileprivate init(_ row: Table.Row<GroupMetricsTable>, of metric: StoryMetric, group: StoryGroup) {
    self.group = group
    users = row.users ?? 0
    immature = row.immature
    value = row.value
    interval = row.interval
    zeroUsers = row.zeroUsers
    counts = metric.unit == .share ? Self.counts(row) : nil
  }

  private static func counts(_ row: Table.Row<GroupMetricsTable>) -> String? {
    // A sum of money is no count, whatever it is divided by.
    guard row.numerator.micros == nil, let counted = row.numerator.exact, let all = row.denominator, all > 0,
      let value = row.value, abs(Double(counted) / Double(all) - value) < 1e-9
    else { return nil }
    return "\(Phrase.count(counted)) of \(Phrase.count(all))"
  }
}
