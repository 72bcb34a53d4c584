import Analysis
import Engine

extension Table {
  /// `group_metrics` of `analyze --format json`: what of `group_metrics.csv` sums alone can tell.
  static func groupEstimates(_ groups: [GroupEstimate]) -> Table {
    Table(
      ResultTable.groupMetrics.name, of: groups,
      columns: [
        .key("offering_id", \.key.offering),
        .key("test_group_id", \.key.group),
        .flag("is_baseline", \.isBaseline),
        .key("segment", \.key.segment),
        .key("metric", \.key.metric),
        .text("kind", \.kind.rawValue),
        .integer("users", \.users),
        .real("value", \.estimate.value),
        .real("std_error", \.estimate.standardError),
        .real("ci_low", \.estimate.interval?.low),
        .real("ci_high", \.estimate.interval?.high),
      ])
  }
}
