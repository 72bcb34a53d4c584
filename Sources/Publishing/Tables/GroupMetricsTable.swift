import Analysis
import Engine

extension ResultTable {
  /// `group_metrics.csv`: each group's value of each metric, by segment; of a balance, `zero_users` have nothing left.
  ///
  /// `numerator` is an exact sum: with six decimals of a metric of money, a whole number of any other.
  static var groupMetrics: ResultTable {
    ResultTable(
      "group_metrics", of: \.groupMetrics,
      columns: [
        .job,
        .asOf,
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
      ])
  }
}
