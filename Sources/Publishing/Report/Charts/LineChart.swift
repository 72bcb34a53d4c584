import Statistics

/// Curves over days, each with a band around it: a lift from night to night, survival.
struct LineChart {
  struct Point {
    var x: Double
    var y: Double
    /// The band at this place; nil where none is known.
    var band: Interval?
  }

  struct Curve {
    /// The group it is of, which gives it its name and colour.
    var group: StoryGroup
    var points: [Point]
  }

  let curves: [Curve]
  /// Values hold until the next: a staircase.
  var isStepped = false
  /// A value that is shown in any case.
  var including: Double?
  let xLabel: (Double) -> String
  let yLabel: (Double) -> String

  private static let width = 760.0
  private static let height = 300.0

  /// The drawing; nil where there is nothing to draw.
  func svg(title: String) -> String? {
    let points = curves.flatMap(\.points)
    guard !points.isEmpty else { return nil }
    let x = Axis(points.map(\.x), pixels: 70...Self.width - 20)
    let y = Axis(range(of: points), including: including, pixels: 28...Self.height - 34, isUpwards: true)
    var svg = SVG(width: Self.width, height: Self.height)
    drawGrid(x, y, &svg)
    for curve in curves { draw(curve, curve.group.style, x, y, &svg) }
    drawLegend(&svg)
    return svg.element(title: title)
  }

  /// What the axis shows: all values, and as much of the bands as does not flatten them.
  private func range(of points: [Point]) -> [Double] {
    let values = points.map(\.y)
    let spread = max((values.max() ?? 0) - (values.min() ?? 0), 0.02)
    let (low, high) = ((values.min() ?? 0) - 2 * spread, (values.max() ?? 0) + 2 * spread)
    let bands = points.flatMap { point in [point.band?.low, point.band?.high].compactMap(\.self) }
    return values + bands.map { min(max($0, low), high) }
  }

  private func drawGrid(_ x: Axis, _ y: Axis, _ svg: inout SVG) {
    for tick in y.ticks {
      let place = y.place(tick)
      svg.line((x.pixels.lowerBound, place), (x.pixels.upperBound, place), class: tick == 0 ? "zero" : "grid")
      svg.text(yLabel(tick), at: (x.pixels.lowerBound - 8, place + 4), anchor: .end, class: "tick")
    }
    for tick in x.ticks where tick == tick.rounded() {
      svg.text(xLabel(tick), at: (x.place(tick), Self.height - 12), anchor: .middle, class: "tick")
    }
  }

  private func draw(_ curve: Curve, _ series: String, _ x: Axis, _ y: Axis, _ svg: inout SVG) {
    let known = stairs(curve.points)
    let banded = known.filter { $0.band != nil }
    let upper = banded.map { (x.place($0.x), y.place($0.band?.high ?? $0.y)) }
    let lower = banded.reversed().map { (x.place($0.x), y.place($0.band?.low ?? $0.y)) }
    svg.path(upper + lower, isClosed: true, class: "band \(series)")
    svg.path(known.map { (x.place($0.x), y.place($0.y)) }, class: "curve \(series)")
    if known.count == 1 { svg.dot((x.place(known[0].x), y.place(known[0].y)), radius: 4, class: "dot \(series)") }
  }

  private func stairs(_ points: [Point]) -> [Point] {
    guard isStepped else { return points }
    var steps: [Point] = []
    for point in points {
      if var before = steps.last {
        before.x = point.x
        steps.append(before)
      }
      steps.append(point)
    }
    return steps
  }

  private func drawLegend(_ svg: inout SVG) {
    var x = 74.0
    for curve in curves {
      svg.rectangle((x, 6), width: 14, height: 10, class: "swatch \(curve.group.style)")
      svg.text(curve.group.text, at: (x + 20, 15))
      x += 40 + Double(curve.group.text.count) * 7.5
    }
  }
}
