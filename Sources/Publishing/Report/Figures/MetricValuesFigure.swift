import Domain

extension MetricValues {
  /// The groups' values, drawn and in numbers.
  var figure: ReportFigure {
    let unit = metric.unit
    let bars = groups.compactMap { row in
      row.value.map {
        BarChart.Bar(group: row.group, label: row.group.text, value: $0, interval: row.interval, text: unit.words($0))
      }
    }
    let zeros: [FigureColumn<Value>] = [
      .number("users at 0") { row in
        row.zeroShare.flatMap { share in row.zeroUsers.map { StoryWords.count($0, share: share) } }
      }
    ]
    return ReportFigure(
      title: metric.text, svg: BarChart(bars: bars).svg(title: "\(metric.text) by group"), of: groups,
      columns: [
        .text("group", \.group.text),
        .count("users", \.users),
        .count("not yet mature", \.immature),
        .number("value") { $0.value.map(unit.words) },
        .number("interval") { $0.interval.map(unit.words) },
      ] + (groups.contains { $0.zeroUsers != nil } ? zeros : []))
  }

  /// The values that answer a question, of an offering whose groups cannot be compared; nil where there are none.
  static func answer(of metrics: [MetricValues]) -> ReportFigure? {
    let rows = metrics.flatMap { metric in metric.groups.map { (metric: metric.metric, value: $0) } }
    guard !rows.isEmpty else { return nil }
    return ReportFigure(
      title: "", of: rows,
      columns: [
        .text("metric", \.metric.text),
        .text("group", \.value.group.text),
        .number("value") { row in row.value.value.map(row.metric.unit.words) },
        .number("interval") { row in row.value.interval.map(row.metric.unit.words) },
      ])
  }
}
