import Domain
import Statistics

/// Lifts with their intervals, one line each, around the line of no difference.
struct ForestPlot {
  struct Line {
    var label: String
    var lift: Double?
    var interval: Interval?
    /// The class that colours it: `better`, `worse` …
    var style: String
  }

  let lines: [Line]

  private static let rowHeight = 26.0
  private static let labelWidth = 300.0
  private static let width = 760.0

  /// The drawing; nil where there is nothing to draw.
  func svg(title: String) -> String? {
    let ends = lines.flatMap { line in [line.lift, line.interval?.low, line.interval?.high].compactMap(\.self) }
    guard !ends.isEmpty else { return nil }
    // A lift cannot fall below −100 %, and one wild interval must not flatten all others.
    let shown = ends.map { min(max($0, -1), farthest) }
    let axis = Axis(shown, including: 0, pixels: Self.labelWidth + 20...Self.width - 30)
    let height = Double(lines.count) * Self.rowHeight + 34
    var svg = SVG(width: Self.width, height: height)
    for tick in axis.ticks {
      svg.line((axis.place(tick), 6), (axis.place(tick), height - 24), class: tick == 0 ? "zero" : "grid")
      svg.text(Phrase.change(tick), at: (axis.place(tick), height - 8), anchor: .middle, class: "tick")
    }
    for (number, line) in lines.enumerated() {
      draw(line, at: Double(number) * Self.rowHeight + 20, axis, &svg)
    }
    return svg.element(title: title)
  }

  /// What is shown at most: twice the largest lift.
  private var farthest: Double { max(1, lines.compactMap { $0.lift?.magnitude }.max() ?? 1) * 2 }

  private func draw(_ line: Line, at y: Double, _ axis: Axis, _ svg: inout SVG) {
    svg.text(line.label, at: (Self.labelWidth, y + 4), anchor: .end)
    if let interval = line.interval {
      svg.line((axis.place(interval.low), y), (axis.place(interval.high), y), class: "whisker \(line.style)")
    }
    if let lift = line.lift { svg.dot((axis.place(lift), y), radius: 5, class: "dot \(line.style)") }
  }
}
