import Domain
import Jobs

/// `not_computable`: which figures of a metric's comparisons are empty, and why?
struct NotComputableCheck: HealthCheck {
  let terms = CheckTerms("not_computable", "a figure that has no value, and why: warns")
  let isRemark = true
  private static let shownPositions = 5

  func checks(of metric: CheckedMetric) -> [Check] {
    checks(of: metric.comparisons, metric: metric.metric.request.id, offering: metric.offering)
  }

  /// One row for each reason, naming where it applies; it warns if it touches more than exploratory segments.
  func checks(of rows: [ComparisonRow], metric: String, offering: Identifier) -> [Check] {
    NotComputable.listed(Set(rows.compactMap(\.notComputable))).map { reason in
      let missing = rows.filter { $0.notComputable == reason }
      let positions = missing.map { row in
        row.key.segment == CellKey.everybody
          ? "\(row.key.group.inWords)" : "\(row.key.group.inWords) in \(row.key.segment)"
      }
      let isExploratory = missing.allSatisfy { $0.key.segment != CellKey.everybody }
      let hidden = positions.count - Self.shownPositions
      let shown = positions.prefix(Self.shownPositions) + (hidden > 0 ? ["\(Phrase.count(hidden)) more"] : [])
      return Check(
        offering: offering, name: name, subject: "metric \(metric), \(reason.code)",
        status: isExploratory ? .pass : .warn, observed: Double(positions.count), expected: 0,
        message: "\(metric), \(Phrase.list(Array(shown))): \(reason.sentence).",
        figures: ["places_not_named": Double(max(0, hidden))])
    }
  }
}
