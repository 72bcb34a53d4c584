import Analysis
import Measurement

extension ResultTable {
  /// `group_metrics.csv`: each group's value of each metric, by segment; of a balance, `zero_users` have nothing left.
  ///
  /// `numerator` is an exact sum: with six decimals of a metric of money, a whole number of any other.
  static var groupMetrics: ResultTable {
    ResultTable(
      "group_metrics", "What each metric came to in each group, by segment.", of: \.groupMetrics,
      columns: [
        .job,
        .asOf,
        .offering(\.key.offering),
        .group(\.key.group),
        .flag("is_baseline", "the group the others are held against", \.isBaseline),
        .segment(\.key.segment),
        .metric(\.key.metric),
        .text("kind", "how the metric is averaged: proportion, mean, ratio, quantile or survival", \.kind.rawValue),
        .real("window_days", "days after assignment that count; empty without a window", \.windowDays),
        .integer("users", "users counted: those whose window has ended", \.users),
        .integer("immature", "users left out because their window has not ended", \.immature),
        .amount("numerator", "the exact sum over the users: money with six decimals, else a whole number") {
          $0.isMoney ? .micros($0.numerator) : .integer($0.numerator)
        },
        .integer("denominator", "what the sum is divided by: users, or a ratio's own count", \.denominator),
        .real("value", "the metric's value: a share, a mean, a ratio", \.value),
        .real("std_error", "standard error of the value", \.standardError),
        .real("ci_low", "lower end of the value's interval", \.interval?.low),
        .real("ci_high", "upper end of the value's interval", \.interval?.high),
        .integer("zero_users", "of a balance: users who have nothing left", \.zeroUsers),
      ])
  }
}
