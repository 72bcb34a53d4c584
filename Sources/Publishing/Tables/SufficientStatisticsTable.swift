import Analysis
import Measurement
import Statistics

extension ResultTable {
  /// `sufficient_statistics.csv`: the exact integers every figure is computed from.
  static var sufficientStatistics: ResultTable {
    ResultTable(
      "sufficient_statistics", "The exact whole numbers that every figure is computed from.", of: \.statistics,
      columns: statisticsKey + sums)
  }

  private static var statisticsKey: [TableColumn<StatisticsRow>] {
    [
      .offering(\.key.offering),
      .group(\.key.group),
      .segment(\.key.segment),
      .metric(\.key.metric),
      .text("kind", "how the metric is averaged: proportion, mean or ratio", \.kind.rawValue),
      .integer("scale", "how many of the sums' units make one of the value's: 1000000 of money, else 1", \.scale),
    ]
  }

  private static var sums: [TableColumn<StatisticsRow>] {
    [
      .integer("n", "users", \.sums.n),
      sum("sum_y", "Σy: y is the user's quantity, or a ratio's numerator", \.sumY),
      sum("sum_yy", "Σy²", \.sumYY),
      sum("sum_x", "Σx: x is a ratio's denominator", \.sumX),
      sum("sum_xx", "Σx²", \.sumXX),
      sum("sum_xy", "Σxy", \.sumXY),
      sum("sum_c", "Σc: c is the covariate, the quantity before assignment", \.sumC),
      sum("sum_cc", "Σc²", \.sumCC),
      sum("sum_yc", "Σyc", \.sumYC),
      sum("sum_xc", "Σxc", \.sumXC),
    ]
  }

  private static func sum(
    _ name: String, _ meaning: String, _ path: any KeyPath<SufficientStatistics, Int128> & Sendable
  ) -> TableColumn<StatisticsRow> {
    .sum(name, meaning) { $0.sums[keyPath: path] }
  }
}
