import Domain
import Statistics

/// One lift drawn on a figure's axis: its interval as a bar, the estimate as a dot, arrows where it leaves the axis.
struct LiftMark {
  let axis: LiftAxis
  let lift: Double?
  let interval: Interval?
  /// The class that colours it: `better`, `worse` …
  let style: String
  /// A lift that it is held against beside 0, and where that may lie itself.
  var threshold: (lift: Double, interval: Interval?)?

  private static let middle = 11.0

  /// The drawing; it is as wide as its place, and its numbers stand beside it.
  func svg(title: String) -> String {
    var svg = SVG()
    for tick in axis.ticks {
      svg.line((axis.position(tick), 0), (axis.position(tick), 22), class: tick == 0 ? "zero" : "grid")
    }
    for tick in axis.namedTicks { Self.name(tick, at: (axis.position(tick), 34), &svg) }
    if let threshold { draw(threshold.lift, threshold.interval, &svg) }
    if let interval { draw(interval, &svg) }
    if let lift, !axis.isBelow(lift), !axis.isAbove(lift) {
      svg.dot((axis.position(lift), Self.middle), radius: 5, class: "dot \(style)")
    }
    return svg.element(title: title, class: "mark")
  }

  /// The ticks alone, for the head of a column.
  static func scale(_ axis: LiftAxis) -> String {
    var svg = SVG()
    for tick in axis.namedTicks { name(tick, at: (axis.position(tick), 13), &svg) }
    return svg.element(title: "Scale of the lifts", class: "scale")
  }

  /// The tick's lift; at the drawing's ends within it.
  private static func name(_ tick: Double, at position: (x: Double, y: Double), _ svg: inout SVG) {
    let anchor: SVG.Anchor = position.x < 12 ? .start : position.x > 88 ? .end : .middle
    svg.text(Phrase.change(tick), at: position, anchor: anchor, class: "tick")
  }

  private func draw(_ threshold: Double, _ interval: Interval?, _ svg: inout SVG) {
    if let interval {
      svg.line((axis.position(interval.low), 20), (axis.position(interval.high), 20), class: "limit")
    }
    svg.line((axis.position(threshold), 0), (axis.position(threshold), 22), class: "limit")
  }

  private func draw(_ interval: Interval, _ svg: inout SVG) {
    let (low, high) = (interval.low, interval.high)
    svg.line((axis.position(low), Self.middle), (axis.position(high), Self.middle), class: "whisker \(style)")
    if axis.isBelow(low) { svg.arrow(.left, at: (axis.position(low), Self.middle), class: "tip \(style)") }
    if axis.isAbove(high) { svg.arrow(.right, at: (axis.position(high), Self.middle), class: "tip \(style)") }
  }
}
