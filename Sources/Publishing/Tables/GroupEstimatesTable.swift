import Analysis
import Measurement

extension Table {
  /// `group_metrics` of `analyze --format json`: what of `group_metrics.csv` sums alone can tell.
  static func groupEstimates(_ groups: [GroupEstimate]) -> Table {
    let columns = GroupEstimateColumns()
    return Table(GroupMetricsTable().name, columns.columns, of: groups, by: columns.row)
  }
}

private struct GroupEstimateColumns: ColumnSet {
  typealias Record = GroupEstimate

  let offering = Name.offering(\.key.offering)
  let group = Name.group(\.key.group)
  let isBaseline = Flag("is_baseline", "the group the others are held against", \.isBaseline)
  let segment = Name.segment(\.key.segment)
  let metric = Name.metric(\.key.metric)
  let kind = Text("kind", "how the metric is averaged: proportion, mean or ratio", \.kind.rawValue)
  let users = Integer("users", "users counted", \.users)
  let value = Real("value", "the metric's value: a share, a mean, a ratio", in: .metric, \.estimate.value)
  let standardError = Real("std_error", "standard error of the value", in: .metric, \.estimate.standardError)
  let interval = Bounds(
    Real("ci_low", "lower end of the value's interval", in: .metric, \.estimate.interval?.low),
    Real("ci_high", "upper end of the value's interval", in: .metric, \.estimate.interval?.high))
}
