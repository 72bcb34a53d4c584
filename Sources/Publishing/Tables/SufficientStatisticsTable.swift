import Analysis
import Engine
import Statistics

/// `sufficient_statistics.csv`: the exact integers every figure is computed from.
enum SufficientStatisticsTable {
  static func table(of night: NightResult) -> Table {
    Table("sufficient_statistics", of: night.statistics, columns: keys + sums)
  }

  private static var keys: [TableColumn<StatisticsRow>] {
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
