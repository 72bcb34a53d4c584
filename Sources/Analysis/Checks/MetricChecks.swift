import Domain
import Engine
import Jobs

/// `maturity`, `small_counts`, `not_computable`: is there enough behind each metric's figures?
enum MetricChecks {
  /// The checks of one offering, over everybody; what cannot be computed is told of segments too.
  static func checks(
    of offering: Identifier, metrics: [MeasuredMetric], sets: [MetricSamples], groups: [GroupMetricRow],
    comparisons: [ComparisonRow], job: Job
  ) -> [Check] {
    metrics.flatMap { metric in
      let id = Identifier(metric.request.id)
      let rows = comparisons.filter { $0.key.metric == id }
      let own = groups.filter { $0.key.metric == id && $0.key.segment == CellKey.everybody }
      let set = sets.first { $0.segment == CellKey.everybody && $0.metric.request.id == metric.request.id }
      return [maturity(metric, own, set, WarnLevels(job: job).level("maturity"))].compactMap(\.self)
        + SmallCountsCheck.checks(of: [set].compactMap(\.self)) + notComputable(metric.request.id, rows, offering)
    }
  }

  private static func maturity(
    _ metric: MeasuredMetric, _ groups: [GroupMetricRow], _ set: MetricSamples?, _ level: Double
  ) -> Check? {
    guard let set else { return nil }
    let immature = groups.reduce(0) { $0 + $1.immature }
    let counted = set.samples.reduce(0) { $0 + Int($1.moments.count) }
    let users = metric.request.includesImmature ? counted : counted + immature
    guard users > 0 else { return nil }
    let share = Double(immature) / Double(users)
    let fate = metric.request.includesImmature ? "they count as they stand" : "they are left out until it has"
    return Check(
      offering: set.offering, name: "maturity", subject: "metric \(metric.request.id)",
      status: Check.status(ofShare: share, warnLevel: level), observed: share, expected: level,
      message:
        "\(metric.request.id): the window of \(Phrase.count(immature)) of \(Phrase.count(users, "user")) "
        + "(\(Phrase.percent(share))) has not ended; \(fate).")
  }

  /// One row for each reason, naming where it applies; it warns if it touches more than exploratory segments.
  static func notComputable(
    _ metric: String, _ rows: [ComparisonRow], _ offering: Identifier
  ) -> [Check] {
    NotComputable.allCases.compactMap { reason in
      let missing = rows.filter { $0.notComputable == reason }
      let places = missing.map { row in
        row.key.segment == CellKey.everybody ? "\(row.key.group)" : "\(row.key.group) in \(row.key.segment)"
      }
      guard !places.isEmpty else { return nil }
      let isExploratory = missing.allSatisfy { $0.key.segment != CellKey.everybody }
      let shown = 5
      let rest = places.count > shown ? ["\(Phrase.count(places.count - shown)) more"] : []
      return Check(
        offering: offering, name: "not_computable", subject: "metric \(metric), \(reason.rawValue)",
        status: isExploratory ? .pass : .warn,
        observed: Double(places.count), expected: 0,
        message: "\(metric), \(Phrase.list(places.prefix(shown) + rest)): \(reason.sentence).")
    }
  }
}
