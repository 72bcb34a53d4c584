import Analysis
import Measurement

extension Table {
  /// `group_metrics` of `analyze --format json`: what of `group_metrics.csv` sums alone can tell.
  static func groupEstimates(_ groups: [GroupEstimate]) -> Table {
    Table(
      ResultTable.groupMetrics.name, of: groups,
      columns: [
        .offering(\.key.offering),
        .group(\.key.group),
        .flag("is_baseline", "the group the others are held against", \.isBaseline),
        .segment(\.key.segment),
        .metric(\.key.metric),
        .text("kind", "how the metric is averaged: proportion, mean or ratio", \.kind.rawValue),
        .integer("users", "users counted", \.users),
        .real("value", "the metric's value: a share, a mean, a ratio", \.estimate.value),
        .real("std_error", "standard error of the value", \.estimate.standardError),
        .real("ci_low", "lower end of the value's interval", \.estimate.interval?.low),
        .real("ci_high", "upper end of the value's interval", \.estimate.interval?.high),
      ])
  }
}
