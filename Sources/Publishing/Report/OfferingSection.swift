import Analysis
import Domain
import Engine

/// One offering's part of the report.
struct OfferingSection {
  let report: Report
  let offering: String

  var words: ReportWords { report.words }

  var context: [String: Any] {
    let figures = [lifts].compactMap(\.self) + values + nights + funnels + funnelSplits + retention + others
    return [
      "questions": questions, "hasQuestions": !questions.isEmpty, "figures": figures.map(\.context),
    ]
  }

  /// The table's rows of this offering.
  func rows(_ table: String) -> [ReportTable.Row] {
    report.rows(table).filter { $0["offering_id"] == offering }
  }

  /// The groups, the baseline first.
  var groups: [String] {
    let all = rows("group_metrics").filter { $0["segment"] == "all" }
    let names = all.map { ($0["test_group_id"], $0.isTrue("is_baseline")) }
    var ordered: [String] = []
    for (name, _) in names.filter(\.1) + names.filter({ !$0.1 }) where !ordered.contains(name) { ordered.append(name) }
    return ordered
  }

  /// The colour of a group, the same in all drawings.
  func series(of group: String) -> Int { groups.firstIndex(of: group) ?? 0 }

  /// Everybody's comparisons, primary metrics first.
  private var comparisons: [ReportTable.Row] {
    let all = rows("comparisons").filter { $0["segment"] == "all" }
    return all.filter { $0.isTrue("primary") } + all.filter { !$0.isTrue("primary") }
  }

  /// The interval that goes with the decision.
  private func interval(_ row: ReportTable.Row) -> (low: Double, high: Double)? {
    guard let low = row.number("decided_ci_low"), let high = row.number("decided_ci_high") else { return nil }
    return (low, high)
  }

  // MARK: - Comparisons

  private var lifts: ReportFigure? {
    guard !comparisons.isEmpty else { return nil }
    let plot = ForestPlot(
      lines: comparisons.map { row in
        ForestPlot.Line(
          label: "\(row["test_group_id"]): \(row["metric"])", lift: row.number("rel_lift"), interval: interval(row),
          decision: words.colour(row))
      })
    return ReportFigure(
      title: "Lift on \(comparisons[0]["baseline_group_id"])", svg: plot.svg(title: "Lifts and their intervals"),
      headings: [
        "metric", "group", "baseline", "value", "lift", "interval", "adjusted p", "chance to win", "decision",
      ],
      rows: comparisons.map(line),
      note: "The interval is that of the test that decides, at the level that is left among so many comparisons. The "
        + "chance to win is the view of a single look; it is not protected against looking every night.")
  }

  private func line(_ row: ReportTable.Row) -> [String] {
    let metric = row["metric"]
    return [
      row.isTrue("primary") ? "\(metric) (primary)" : metric, row["test_group_id"],
      words.known(row.number("baseline_value"), of: metric), words.known(row.number("value"), of: metric),
      row.number("rel_lift").map(Phrase.lift) ?? "", words.lifts(interval(row)),
      words.pValue(row.number("p_value_adjusted")), words.share(row.number("chance_to_win")), words.decision(row),
    ]
  }

  /// Each metric's value by group.
  private var values: [ReportFigure] {
    let all = rows("group_metrics").filter { $0["segment"] == "all" }
    var metrics: [String] = []
    for metric in comparisons.map({ $0["metric"] }) + all.map({ $0["metric"] }) where !metrics.contains(metric) {
      metrics.append(metric)
    }
    return metrics.map { metric in values(of: metric, all.filter { $0["metric"] == metric }) }
  }

  private func values(of metric: String, _ rows: [ReportTable.Row]) -> ReportFigure {
    let ordered = groups.compactMap { group in rows.first { $0["test_group_id"] == group } }
    let bars = ordered.compactMap { row -> BarChart.Bar? in
      guard let value = row.number("value") else { return nil }
      let ends = [row.number("ci_low"), row.number("ci_high")].compactMap(\.self)
      return BarChart.Bar(
        label: row["test_group_id"], series: series(of: row["test_group_id"]), value: value,
        interval: ends.count == 2 ? (ends[0], ends[1]) : nil, text: words.value(value, of: metric))
    }
    let tellsZeros = ordered.contains { !$0["zero_users"].isEmpty }
    return ReportFigure(
      title: metric, svg: BarChart(bars: bars).svg(title: "\(metric) by group"),
      headings: ["group", "users", "not yet mature", "value", "interval"] + (tellsZeros ? ["users at 0"] : []),
      rows: ordered.map { row in
        [
          row["test_group_id"], words.count(row["users"]), words.count(row["immature"]),
          words.value(row.number("value"), of: metric),
          words.interval(row.number("ci_low"), row.number("ci_high"), of: metric),
        ] + (tellsZeros ? [zeros(row)] : [])
      })
  }

  /// `158 (16.4 %)`: users who have nothing left.
  private func zeros(_ row: ReportTable.Row) -> String {
    guard let zeros = row.number("zero_users"), let users = row.number("users"), users > 0 else { return "" }
    return "\(words.count(row["zero_users"])) (\(Phrase.percent(zeros / users)))"
  }

  /// The lift from night to night, for each primary metric.
  private var nights: [ReportFigure] {
    let daily = rows("daily").filter { $0.isTrue("primary") }
    var metrics: [String] = []
    for metric in daily.map({ $0["metric"] }) where !metrics.contains(metric) { metrics.append(metric) }
    return metrics.compactMap { metric in nights(of: metric, daily.filter { $0["metric"] == metric }) }
  }

  private func nights(of metric: String, _ rows: [ReportTable.Row]) -> ReportFigure? {
    var days: [String] = []
    for row in rows where !days.contains(row["day"]) { days.append(row["day"]) }
    let curves = groups.compactMap { group -> LineChart.Curve? in
      let points = rows.filter { $0["test_group_id"] == group }.compactMap { row -> LineChart.Point? in
        guard let lift = row.number("rel_lift"), let day = days.firstIndex(of: row["day"]) else { return nil }
        return LineChart.Point(x: Double(day), y: lift, band: interval(row))
      }
      return points.isEmpty ? nil : LineChart.Curve(label: group, series: series(of: group), points: points)
    }
    let chart = LineChart(
      curves: curves, including: 0,
      xLabel: { days.indices.contains(Int($0)) ? String(days[Int($0)].dropFirst(5)) : "" }, yLabel: Phrase.change)
    guard let svg = chart.svg(title: "Lift of \(metric), night by night") else { return nil }
    return ReportFigure(
      title: "\(metric), night by night", svg: svg, headings: ["day", "group", "lift", "interval"],
      rows: rows.map {
        [
          $0["day"], $0["test_group_id"], $0.number("rel_lift").map(Phrase.lift) ?? "", words.lifts(interval($0)),
        ]
      },
      isFolded: true)
  }

  // MARK: - Questions

  /// The owner's questions, each with the figures that answer it.
  private var questions: [[String: Any]] {
    report.head.questions.map { question in
      let lines = comparisons.filter { question.metrics.contains($0["metric"]) }
      let alone = rows("group_metrics").filter {
        $0["segment"] == "all" && question.metrics.contains($0["metric"]) && lines.isEmpty
      }
      let answers =
        [answer(lines), values(alone)].compactMap(\.self)
        + funnels.filter { figure in question.funnels.contains { figure.title == "Funnel: \($0)" } }
        + funnelSplits.filter { figure in question.funnels.contains { figure.title.hasPrefix("Funnel \($0), with") } }
        + question.tables.flatMap(figures) + question.checks.compactMap(checks)
      return ["ask": question.ask, "answers": answers.map(\.context)] as [String: Any]
    }
  }

  private func answer(_ lines: [ReportTable.Row]) -> ReportFigure? {
    guard !lines.isEmpty else { return nil }
    return ReportFigure(
      title: "", headings: ["metric", "group", "baseline", "value", "lift", "interval", "decision"],
      rows: lines.map { row in
        let all = line(row)
        return Array(all[0...5]) + [all[8]]
      })
  }

  /// Values of an offering whose groups cannot be compared.
  private func values(_ rows: [ReportTable.Row]) -> ReportFigure? {
    guard !rows.isEmpty else { return nil }
    return ReportFigure(
      title: "", headings: ["metric", "group", "value", "interval"],
      rows: rows.map {
        [
          $0["metric"], $0["test_group_id"], words.value($0.number("value"), of: $0["metric"]),
          words.interval($0.number("ci_low"), $0.number("ci_high"), of: $0["metric"]),
        ]
      })
  }
}
