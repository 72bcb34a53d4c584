import Foundation
import Statistics

/// Curves over days, each with a band around it: a lift from night to night, survival, users a day.
///
/// The curves are drawn into a box that stretches with the page; its ticks and names are text of the page.
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

  var curves: [Curve]
  /// Values hold until the next: a staircase.
  var isStepped = false
  /// A value that is shown in any case.
  var including: Double?
  /// The axis shows every value, not those of the later half alone.
  var isWhole = false
  /// No value lies below.
  var floor: Double?
  /// No value above it is shown.
  var ceiling: Double?
  let xLabel: (Double) -> String
  let yLabel: (Double) -> String

  /// Curves of more points are drawn by so many of them.
  static let drawnPoints = 150

  /// More curves with their bands are one mass: then the highest and the lowest ends stand for all.
  private static let mostCurves = 8

  /// The drawing; nil where there is nothing to draw.
  func html(title: String) -> String? {
    guard curves.count > Self.mostCurves else { return drawn(title: title).map { "<div class=\"chart\">\($0)</div>" } }
    let half = Self.mostCurves / 2
    var few = self
    few.curves = outermost(half)
    let bands = curves.contains { $0.points.contains { $0.band != nil } } ? ", without their intervals" : ""
    return few.drawn(title: title).map {
      """
      <div class="chart">\($0)<p class="note">Of \(curves.count) groups the \(half) that end highest and the \(half) that \
      end lowest are drawn\(bands).</p></div>
      """
    }
  }

  /// The curves that end highest, and as many that end lowest, without bands.
  private func outermost(_ count: Int) -> [Curve] {
    let ends = curves.compactMap { curve in curve.points.last.map { (curve: curve, y: $0.y) } }
    let byEnd = ends.sorted { ($1.y, $0.curve.group) < ($0.y, $1.curve.group) }.map(\.curve)
    return (byEnd.prefix(count) + byEnd.suffix(count)).sorted { $0.group < $1.group }.map { curve in
      Curve(group: curve.group, points: curve.points.map { Point(x: $0.x, y: $0.y) })
    }
  }

  private func drawn(title: String) -> String? {
    let points = curves.flatMap(\.points)
    guard !points.isEmpty else { return nil }
    let x = Axis(points.map(\.x), pixels: 0...100)
    let y = Axis(
      isStepped || isWhole ? points.map(\.y) + range : range, including: including, pixels: 2...98, isUpwards: true)
    var svg = SVG()
    for tick in y.ticks {
      svg.path([(0, y.position(tick)), (100, y.position(tick))], class: tick == 0 ? "zero" : "grid")
    }
    for curve in curves { draw(curve, x, y, &svg) }
    return """
      <div class="legend">\(legend)</div><div class="plot"><div class="y">\(yTicks(y))</div>\
      \(svg.stretched(title: title, class: "curves"))<div class="ends">\(names(y))</div><div class="x">\(xTicks(x))</div></div>
      """
  }

  /// What the axis shows: the later half of each curve with its band, as far as twenty times the baseline's value; wild
  /// first nights leave the picture.
  private var range: [Double] {
    let late = curves.flatMap { $0.points.suffix(max(1, ($0.points.count + 1) / 2)) }
    let ends = late.flatMap { point in [point.y, point.band?.low, point.band?.high].compactMap(\.self) }
    let largest = late.map(\.y.magnitude).max() ?? 0
    let highest = min(4 * largest + 1, ceiling ?? .infinity)
    return ends.map { min(max($0, floor ?? -.infinity, -highest), highest) }
  }

  private func draw(_ curve: Curve, _ x: Axis, _ y: Axis, _ svg: inout SVG) {
    let known = stairs(thinned(curve.points))
    let banded = known.filter { $0.band != nil }
    let upper = banded.map { (x.position($0.x), y.farPosition($0.band?.high ?? $0.y)) }
    let lower = banded.reversed().map { (x.position($0.x), y.farPosition($0.band?.low ?? $0.y)) }
    svg.path(upper + lower, isClosed: true, class: "band grid \(curve.group.style)")
    for edge in [upper, lower] { svg.path(edge, class: "edge \(curve.group.style)") }
    let line = known.map { (x.position($0.x), y.farPosition($0.y)) }
    // One point alone is a line of no length, which a round cap makes a dot.
    svg.path(line.count == 1 ? line + line : line, class: "curve \(curve.group.style)")
  }

  /// At most `drawnPoints` points, the last one among them.
  private func thinned(_ points: [Point]) -> [Point] {
    let step = (points.count + Self.drawnPoints - 1) / Self.drawnPoints
    guard step > 1 else { return points }
    return points.enumerated().filter { (points.count - 1 - $0.offset).isMultiple(of: step) }.map(\.element)
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

  private var legend: String {
    curves.map { "<span>\($0.group.swatch)<bdi>\(SVG.escape($0.group.text))</bdi></span>" }.joined()
  }

  /// Each group's name where its curve ends; those that would lie on another are moved down.
  private func names(_ y: Axis) -> String {
    let ends = curves.compactMap { curve in curve.points.last.map { (group: curve.group, position: y.position($0.y)) } }
    let short = shortened(ends.map(\.group.text))
    var lowest = -Self.nameHeight
    let room = 100 - Self.nameHeight * Double(ends.count - 1)
    return ends.sorted { ($0.position, $0.group) < ($1.position, $1.group) }.enumerated().map { index, end in
      lowest = max(min(end.position, room + Self.nameHeight * Double(index)), lowest + Self.nameHeight)
      let name = short[end.group.text] ?? end.group.text
      let top = NumberText.real(lowest.rounded(.toNearestOrEven))
      return "<span style=\"top:\(top)%\"><bdi>\(SVG.escape(name))</bdi></span>"
    }.joined()
  }

  /// What stands for each name at its curve's end: its beginning, or its end where two names begin alike.
  private func shortened(_ names: [String]) -> [String: String] {
    let long = Set(names.filter { $0.count > Self.longestName })
    let beginnings = Dictionary(grouping: long) { $0.prefix(Self.longestName - 1) }
    let pairs = beginnings.flatMap { beginning, names in
      names.map { name in
        let end = names.count > 1 ? end(of: name, among: names) : ""
        return (name, end.isEmpty ? "\(beginning)…" : "…\(end)")
      }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The letters of a name that the others do not begin with; of many the last.
  private func end(of name: String, among names: [String]) -> Substring {
    let common = names.reduce(name) { $0.commonPrefix(with: $1) }.count
    return name.dropFirst(common).suffix(Self.longestName - 1)
  }

  /// In percent of the drawing's height.
  private static let nameHeight = 12.0
  /// Longer names end in dots; the legend has them whole.
  private static let longestName = 12

  private func yTicks(_ y: Axis) -> String {
    y.ticks.map {
      "<span style=\"top:\(NumberText.real(y.position($0).rounded(.toNearestOrEven)))%\">\(SVG.escape(yLabel($0)))</span>"
    }
    .joined()
  }

  /// The first place, the last, and a whole number in the middle, each where it lies.
  private func xTicks(_ x: Axis) -> String {
    let positions = curves.flatMap(\.points).map(\.x)
    guard let first = positions.min(), let last = positions.max() else { return "" }
    let middle = ((first + last) / 2).rounded()
    let named = [first, middle, last].reduce(into: [Double]()) { if $0.last != $1 { $0.append($1) } }
    return named.map { position in
      let left = NumberText.real((x.position(position) * 100).rounded() / 100)
      return "<span style=\"left:\(left)%\">\(SVG.escape(xLabel(position)))</span>"
    }.joined()
  }
}
