import Domain
import Statistics

extension Retention {
  /// The curves, drawn and in numbers.
  var figure: ReportFigure {
    let chart = LineChart(
      curves: curves.compactMap(\.drawn), isStepped: true, including: 0, floor: 0,
      xLabel: { [unit = clock.unit] in "\(unit) \(NumberText.real($0))" }, yLabel: Phrase.percent)
    return ReportFigure(
      title: "\(name), by \(clock.heading)", method: .curves, lead: readers + left,
      drawing: chart.html(title: "Share of subscribers left, by \(clock.heading)"),
      of: curves.flatMap { curve in curve.points.map { (group: curve.group, point: $0) } },
      columns: [
        .text(clock.heading) { "\($0.point.time)" },
        .group { $0.group },
        .share("left", \.point.survival),
        .number("interval") { $0.point.interval.map(Unit.share.words) },
        .count("at risk", \.point.atRisk),
        .count("ended", \.point.ended),
        .count("censored", \.point.censored),
      ], isFolded: true)
  }

  /// The metric's label, or what the metrics have in common.
  private var name: String { metrics.count == 1 ? metrics[0].label : "Subscribers kept" }

  /// `One curve for “Subscribers kept past the first renewal” and “… past 2 renewals”. `; empty for one metric.
  private var readers: String {
    metrics.count == 1 ? "" : "One curve for \(Phrase.list(metrics.map { "“\($0.label)”" })). "
  }

  /// `By day 30, 80 % of control's subscribers are left and 78 % of group_a's.`: the last time at which every curve has
  /// subscribers who could leave.
  private var left: String {
    if isBlind {
      return "No table tells how long every product lasts (unknown_period), so the curve does not say who is left: "
        + "who is not seen to leave counts as staying."
    }
    let last = curves.compactMap { $0.points.last { $0.survival != nil && $0.isReported }?.time }.min() ?? 0
    let shares = curves.compactMap { curve in
      curve.points.last { $0.time <= last && $0.survival != nil }.flatMap { point in
        point.survival.map { "\(Phrase.percent($0)) of \(curve.group.inWords)'s subscribers" }
      }
    }
    guard last > 0, !shares.isEmpty else { return "Nobody's time has passed yet." }
    return "By \(clock.unit) \(last), \(StoryWords.list(shares)) are left."
  }
}

extension Retention.Point {
  /// Somebody could leave at that time, or was followed beyond it: not all at risk were seen there for the last time.
  fileprivate var isReported: Bool { atRisk > censored }
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
