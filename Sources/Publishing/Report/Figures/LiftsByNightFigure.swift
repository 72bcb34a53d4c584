import Domain

extension LiftsByNight {
  /// The lifts from night to night; nil where there is none to draw.
  var figure: ReportFigure? {
    let days = days
    let chart = LineChart(
      curves: curves(days), including: 0,
      xLabel: { days.indices.contains(Int($0)) ? String(days[Int($0)].dropFirst("2026-".count)) : "" },
      yLabel: Phrase.change)
    guard let svg = chart.svg(title: "Lift of \(metric.text), night by night") else { return nil }
    return ReportFigure(
      title: "\(metric.text), night by night", svg: svg, of: lifts,
      columns: [
        .text("day", \.day),
        .text("group", \.group.text),
        .lift("lift", \.lift),
        .lifts("interval", \.interval),
      ], isFolded: true)
  }

  /// A curve for each group that has a lift on some day.
  private func curves(_ days: [String]) -> [LineChart.Curve] {
    Dictionary(grouping: lifts, by: \.group).sorted { $0.key < $1.key }.compactMap { group, lifts in
      let points = lifts.compactMap { day -> LineChart.Point? in
        guard let lift = day.lift, let place = days.firstIndex(of: day.day) else { return nil }
        return LineChart.Point(x: Double(place), y: lift, band: day.interval)
      }
      return points.isEmpty ? nil : LineChart.Curve(group: group, points: points)
    }
  }
}
