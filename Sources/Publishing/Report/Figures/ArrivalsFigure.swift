import Domain

extension Arrivals {
  /// Users a day, by group; nil where nobody joined.
  ///
  /// - Parameter night: the night's date, to which days are counted.
  static func figure(of arrivals: [Arrivals], until night: String) -> ReportFigure? {
    let days = Set(arrivals.flatMap { $0.days.map(\.day) }).sorted()
    guard let first = days.first, let last = days.last else { return nil }
    let span = CivilDays.all(from: first, to: max(last, night))
    let curves = arrivals.map { group in
      let users = Dictionary(group.days.map { ($0.day, $0.users) }) { $0 + $1 }
      return LineChart.Curve(
        group: group.group,
        points: span.enumerated().map { LineChart.Point(x: Double($0), y: Double(users[$1] ?? 0), band: nil) })
    }
    let chart = LineChart(
      curves: curves, including: 0, xLabel: { span.indices.contains(Int($0)) ? span[Int($0)] : "" },
      yLabel: { Phrase.decimal($0, decimals: 1) })
    guard let drawing = chart.html(title: "Users who joined, a day") else { return nil }
    let all = arrivals.reduce(0) { $0 + $1.users }
    return ReportFigure(
      title: "Users per day",
      lead: "\(Phrase.count(all, "user")) joined from \(first) on, the last on \(last): "
        + "\(Phrase.rounded(Double(all) / Double(max(span.count, 1)))) a day to the night of \(night).",
      drawing: drawing, of: arrivals,
      columns: [
        .text("group", \.group.text), .count("users", \.users),
        .number("a day") { Phrase.rounded(Double($0.users) / Double(max(span.count, 1))) },
        .number("most on a day") { group in group.days.map(\.users).max().map { Phrase.count($0) } },
      ])
  }
}
