import Statistics

/// Horizontal bars, with an interval's whisker where one is known: shares and values by group.
struct BarChart {
  struct Bar {
    /// The group it is of, which gives it its colour.
    var group: StoryGroup
    var label: String
    var value: Double
    var interval: Interval?
    /// What stands behind the bar.
    var text: String
  }

  let bars: [Bar]

  private static let width = 760.0
  private static let rowHeight = 24.0

  /// The drawing; nil where there is nothing to draw.
  func svg(title: String) -> String? {
    guard !bars.isEmpty else { return nil }
    let ends = bars.flatMap { [$0.value, $0.interval?.high ?? $0.value] }
    let axis = Axis(ends, including: 0, pixels: labelWidth + 10...Self.width - 130)
    var svg = SVG(width: Self.width, height: Double(bars.count) * Self.rowHeight + 8)
    for (number, bar) in bars.enumerated() { draw(bar, at: Double(number) * Self.rowHeight + 4, axis, &svg) }
    return svg.element(title: title)
  }

  /// Room for the longest label, as far as there is any.
  private var labelWidth: Double { min(max(Double(bars.map(\.label.count).max() ?? 0) * 7.5, 120), 360) }

  private func draw(_ bar: Bar, at y: Double, _ axis: Axis, _ svg: inout SVG) {
    let zero = axis.place(0)
    svg.text(bar.label, at: (labelWidth, y + 15), anchor: .end)
    let end = axis.place(bar.value)
    svg.rectangle((min(zero, end), y + 2), width: abs(end - zero), height: 16, class: "bar \(bar.group.style)")
    var reach = max(zero, end)
    if let interval = bar.interval {
      svg.line((axis.place(interval.low), y + 10), (axis.place(interval.high), y + 10), class: "whisker")
      reach = max(reach, axis.place(interval.high))
    }
    svg.text(bar.text, at: (reach + 8, y + 15), class: "value")
  }
}
