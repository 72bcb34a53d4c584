import Analysis
import Engine
import Statistics

extension ResultTable {
  /// `sufficient_statistics.csv`: the exact integers every figure is computed from.
  static var sufficientStatistics: ResultTable {
    ResultTable("sufficient_statistics", of: \.statistics, columns: statisticsKey + sums)
  }

  private static var statisticsKey: [TableColumn<StatisticsRow>] {
    [
      .key("offering_id", \.key.offering),
      .key("test_group_id", \.key.group),
      .key("segment", \.key.segment),
      .key("metric", \.key.metric),
      .text("kind", \.kind.rawValue),
      .integer("scale", \.scale),
    ]
  }

  private static var sums: [TableColumn<StatisticsRow>] {
    [
      sum("n", \.n), sum("sum_y", \.sumY), sum("sum_yy", \.sumYY),
      sum("sum_x", \.sumX), sum("sum_xx", \.sumXX), sum("sum_xy", \.sumXY),
      sum("sum_c", \.sumC), sum("sum_cc", \.sumCC), sum("sum_yc", \.sumYC), sum("sum_xc", \.sumXC),
    ]
  }

  private static func sum(
    _ name: String, _ path: KeyPath<SufficientStatistics, Int128>
  ) -> TableColumn<StatisticsRow> {
    .exact(name) { .integer($0.sums[keyPath: path]) }
  }
}
