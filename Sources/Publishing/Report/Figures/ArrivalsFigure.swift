import Analysis
import Domain

extension Arrivals {
  /// Users a day, by group; nil where nobody joined.
  ///
  /// - Parameters:
  ///   - night: the night's date, to which days are counted while users join.
  ///   - usersPerDay: users of all groups a day, as the plans and the verdict have it; nil where nothing tells.
  static func figure(
    of arrivals: [Arrivals], until night: String, _ joining: Joining, usersPerDay: Double?
  ) -> ReportFigure? {
    let days = Set(arrivals.flatMap { $0.days.map(\.day) }).sorted()
    guard let first = days.first, let last = days.last else { return nil }
    let span = CivilDays.all(from: first, to: joining.isOver ? last : max(last, night))
    let curves = arrivals.map { group in
      let users = Dictionary(group.days.map { ($0.day, $0.users) }) { $0 + $1 }
      return LineChart.Curve(
        group: group.group,
        points: span.enumerated().map { LineChart.Point(x: Double($0), y: Double(users[$1] ?? 0), band: nil) })
    }
    let chart = LineChart(
      curves: curves, including: 0, isWhole: true, xLabel: { span.indices.contains(Int($0)) ? span[Int($0)] : "" },
      yLabel: { Phrase.decimal($0, decimals: 1) })
    guard let drawing = chart.html(title: "Users who joined, a day") else { return nil }
    let rate = usersPerDay.map { ", \(Phrase.rounded($0)) a day" } ?? ""
    let pace =
      joining.ended.map { " to \(DayWords.day(last)). \($0)." } ?? " on\(rate)."
    return ReportFigure(
      title: "Users per day", method: .counting,
      lead: "\(Phrase.count(joining.users, "user")) joined from \(DayWords.day(first))\(pace)",
      drawing: drawing, of: arrivals,
      columns: [
        .group { $0.group }, .count("users", \.users),
        .number("most on a day") { group in group.days.map(\.users).max().map { Phrase.count($0) } },
      ])
  }
}
