import Domain
import Statistics

extension MetricValues {
  /// Each group's own value of all metrics, with its interval; nil where there is none.
  static func figure(of metrics: [MetricValues]) -> ReportFigure? {
    let rows = metrics.flatMap { metric in metric.groups.map { (metric: metric.metric, value: $0) } }
    guard !rows.isEmpty else { return nil }
    let zeros: [FigureColumn<Row>] = [
      .number("users at 0") { row in
        row.value.zeroShare.flatMap { share in row.value.zeroUsers.map { StoryWords.count($0, share: share) } }
      }
    ]
    return ReportFigure(
      title: "Each group's own values", method: .values,
      lead: "What each group came to by itself, with its interval for a single look, and how many users it rests on.",
      of: rows,
      columns: [
        .text("metric", \.metric.label),
        .group { $0.value.group },
        .values("value", \.metric, \.value.value),
        .number("interval", interval),
        .count("users", \.value.users),
        .count("window not over", \.value.immature),
      ] + (rows.contains { $0.value.zeroUsers != nil } ? zeros : []),
      isFolded: true)
  }

  private typealias Row = (metric: StoryMetric, value: Value)

  private static func interval(_ row: Row) -> String? {
    row.value.interval.map { interval in
      let digits = row.metric.unit.digits([interval.low, interval.high])
      return "\(digits.text(interval.low)) to \(digits.text(interval.high))\(row.metric.unit.suffix)"
    }
  }
}
