import Analysis
import Engine

/// `group_metrics.csv`: each group's value of each metric, by segment; of a balance, `zero_users` have nothing left.
enum GroupMetricsTable {
  static func table(of night: NightResult) -> Table {
    Table("group_metrics", of: night.groupMetrics, columns: columns(of: night))
  }

  private static func columns(of night: NightResult) -> [TableColumn<GroupMetricRow>] {
    [
      .keyText("job") { _ in night.job },
      .keyText("as_of") { _ in night.asOf.rfc3339 },
      .key("offering_id", \.key.offering),
      .key("test_group_id", \.key.group),
      .flag("is_baseline", \.isBaseline),
      .key("segment", \.key.segment),
      .key("metric", \.key.metric),
      .text("kind", \.kind.rawValue),
      .real("window_days", \.windowDays),
      .integer("users", \.users),
      .integer("immature", \.immature),
      .exact("numerator") { $0.isMoney ? .micros($0.numerator) : .integer($0.numerator) },
      .integer("denominator", \.denominator),
      .real("value", \.value),
      .real("std_error", \.standardError),
      .real("ci_low", \.interval?.low),
      .real("ci_high", \.interval?.high),
      .integer("zero_users", \.zeroUsers),
    ]
  }
}
