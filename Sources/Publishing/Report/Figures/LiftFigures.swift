import Analysis
import Domain

extension Lift {
  /// The comparisons over everybody, drawn and in numbers; nil where there are none.
  static func figure(of lifts: [Lift]) -> ReportFigure? {
    guard let first = lifts.first else { return nil }
    let plot = ForestPlot(
      lines: lifts.map {
        ForestPlot.Line(
          label: "\($0.group.text): \($0.metric.text)", lift: $0.lift, interval: $0.interval, style: $0.outcome.style)
      })
    return ReportFigure(
      title: "Lift on \(first.baseline)", svg: plot.svg(title: "Lifts and their intervals"), of: lifts,
      columns: estimates + [
        .pValue("adjusted p", \.adjustedPValue),
        .share("chance to win", \.chanceToWin),
        decision,
      ],
      note: "The interval is that of the test that decides, at the level that is left among so many comparisons. The "
        + "chance to win is the view of a single look; it is not protected against looking every night.")
  }

  /// The comparisons that answer a question.
  static func answer(of lifts: [Lift]) -> ReportFigure {
    ReportFigure(title: "", of: lifts, columns: estimates + [decision])
  }

  /// Primary metrics by segment; nil where there are none.
  static func segmentsFigure(of lifts: [Lift]) -> ReportFigure? {
    guard !lifts.isEmpty else { return nil }
    return ReportFigure(
      title: "Segments (exploratory)", of: lifts,
      columns: [
        .text("segment", \.segment.text),
        .text("metric", \.metric.text),
        .text("group", \.group.text),
        .number("baseline") { lift in lift.baselineValue.map(lift.metric.unit.words) },
        .number("value") { lift in lift.value.map(lift.metric.unit.words) },
        .lift("lift", \.lift),
        .pValue("adjusted p", \.adjustedPValue),
      ], isFolded: true)
  }

  private static var estimates: [FigureColumn<Lift>] {
    [
      .text("metric") { $0.metric.isPrimary ? "\($0.metric.text) (primary)" : $0.metric.text },
      .text("group", \.group.text),
      FigureColumn(heading: "baseline") { known($0.baselineValue, in: $0.metric.unit) },
      FigureColumn(heading: "value") { known($0.value, in: $0.metric.unit) },
      .lift("lift", \.lift),
      .lifts("interval", \.interval),
    ]
  }

  private static var decision: FigureColumn<Lift> { .text("decision", \.outcome.words) }

  private static func known(_ value: Double?, in unit: Unit) -> ReportFigure.Cell {
    let words = StoryWords.known(value, in: unit)
    return value == nil ? .text(words) : .number(words)
  }
}

extension Lift.Outcome {
  /// The class that colours it: a direction that is neither good nor bad has the colour of what is open.
  var style: String {
    switch self {
    case .decided(let decision): decision.rawValue
    case .higher, .lower: Decision.inconclusive.rawValue
    }
  }
}
