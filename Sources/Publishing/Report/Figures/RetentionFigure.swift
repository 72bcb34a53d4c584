import Domain
import Statistics

extension Retention {
  /// The curves, drawn and in numbers.
  var figure: ReportFigure {
    let chart = LineChart(
      curves: curves.compactMap(\.drawn), isStepped: true, including: 0,
      xLabel: { [unit = clock.unit] in "\(unit) \(NumberText.real($0))" }, yLabel: Phrase.percent)
    return ReportFigure(
      title: "Retention by \(clock.heading): \(metric.text)",
      svg: chart.svg(title: "Share of subscribers left, by \(clock.heading)"),
      of: curves.flatMap { curve in curve.points.map { (group: curve.group, point: $0) } },
      columns: [
        .text(clock.heading) { "\($0.point.time)" },
        .text("group", \.group.text),
        .count("at risk", \.point.atRisk),
        .count("ended", \.point.ended),
        .count("censored", \.point.censored),
        .share("left", \.point.survival),
        .number("interval") { $0.point.interval.map(Unit.share.words) },
      ], isFolded: true)
  }
}

extension Retention.Curve {
  /// The curve from its start, where everybody is left; nil where it has no further point.
  fileprivate var drawn: LineChart.Curve? {
    let later = points.filter { $0.time != 0 }.compactMap { point in
      point.survival.map {
        LineChart.Point(x: Double(point.time), y: $0, band: point.interval ?? Interval($0, $0))
      }
    }
    guard !later.isEmpty else { return nil }
    return LineChart.Curve(group: group, points: [LineChart.Point(x: 0, y: 1, band: Interval(1, 1))] + later)
  }
}

extension Retention.Clock {
  fileprivate var heading: String {
    switch self {
    case .days: "day"
    case .renewals: "renewals due"
    }
  }

  /// One tick of it.
  fileprivate var unit: String {
    switch self {
    case .days: "day"
    case .renewals: "renewal"
    }
  }
}
