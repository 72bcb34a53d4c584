import Analysis
import Measurement

/// `group_metrics.csv`: each group's value of each metric, by segment; of a balance, `zero_users` have nothing left.
///
/// `numerator` is an exact sum: with six decimals of a metric of money, a whole number of any other.
struct GroupMetricsTable: GroupTable {
  typealias Record = GroupMetricRow
  let name = "group_metrics"
  let meaning = "What each metric came to in each group, by segment."
  let records = Records<Record>.held(\.groupMetrics)

  let job = Text.job
  let asOf = Text.asOf
  let offering = Name.offering(\.key.offering)
  let group = Name.group(\.key.group)
  let isBaseline = Flag("is_baseline", "the group the others are held against", \.isBaseline)
  let segment = Name.segment(\.key.segment)
  let metric = Name.metric(\.key.metric)
  let kind = Text("kind", "how the metric is averaged: proportion, mean, ratio, quantile or survival", \.kind.rawValue)
  let windowDays = Real(
    "window_days", "days after assignment that count; empty without a window", in: .days, \.windowDays)
  let users = Integer("users", "users counted: those whose window has ended", \.users)
  let immature = Integer("immature", "users left out because their window has not ended", \.immature)
  let numerator = Amount(
    "numerator", "the exact sum over the users: money with six decimals, else a whole number", in: .metric
  ) {
    $0.isMoney ? .micros($0.numerator) : .integer($0.numerator)
  }
  let denominator = Integer("denominator", "what the sum is divided by: users, or a ratio's own count", \.denominator)
  let value = Real("value", "the metric's value: a share, a mean, a ratio", in: .metric, \.value)
  let standardError = Real("std_error", "standard error of the value", in: .metric, \.standardError)
  let interval = Bounds(
    Real("ci_low", "lower end of the value's interval", in: .metric, \.interval?.low),
    Real("ci_high", "upper end of the value's interval", in: .metric, \.interval?.high))
  let zeroUsers = Integer("zero_users", "of a balance: users who have nothing left", \.zeroUsers)
}
