import Analysis
import Domain

extension Lift {
  /// The comparisons that make the verdict, over everybody; nil where there are none.
  static func figure(of lifts: [Lift], isSequential: Bool) -> ReportFigure? {
    let primary = lifts.filter(\.metric.isPrimary)
    let lifts = primary.isEmpty ? lifts : primary
    guard let first = lifts.first else { return nil }
    let often = isSequential ? "however often you look" : "at the one look planned"
    return ReportFigure(
      title: "Every group against \(first.baseline)",
      lead: "The dot is the difference seen, the line where the truth may lie, \(often). A line that does not touch 0 "
        + "is a difference shown.",
      of: lifts, columns: columns(lifts, baseline: first.baseline),
      note: "The line is the interval of the test that decides, at the level that is left among so many comparisons; "
        + "an arrow says that it goes on beyond the scale.")
  }

  /// The comparisons that make no verdict; nil where there are none beside those that do.
  static func othersFigure(of lifts: [Lift]) -> ReportFigure? {
    let others = lifts.filter { !$0.metric.isPrimary }
    guard let first = others.first, others.count < lifts.count else { return nil }
    let shown = Set(others.filter { Self.isDifference($0.outcome) }.map(\.metric))
    let names = shown.sorted().map(\.label)
    let found =
      names.isEmpty
      ? "None of them shows a difference."
      : "A difference is shown in \(Phrase.list(names, most: 4))."
    return ReportFigure(
      title: "All other metrics", lead: found, of: others, columns: columns(others, baseline: first.baseline))
  }

  /// Whether it is shown that the group differs: not that it does not by much, or that nothing can be believed.
  private static func isDifference(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .decided(.better), .decided(.worse), .higher, .lower: true
    case .decided: false
    }
  }

  private static func columns(_ lifts: [Lift], baseline: Identifier) -> [FigureColumn<Lift>] {
    [
      .text("metric", \.metric.label), group,
      .values(baseline.text, \.metric, \.baselineValue, among: { [$0.baselineValue, $0.value] }),
      .values("group", \.metric, \.value, among: { [$0.baselineValue, $0.value] }),
      .lift("difference", \.lift),
      .lifts({ $0 }, LiftAxis(lifts)),
    ]
  }

  /// Primary metrics by segment; nil where there are none.
  static func segmentsFigure(of lifts: [Lift]) -> ReportFigure? {
    guard !lifts.isEmpty else { return nil }
    let shown = Array(lifts.prefix(longestForest))
    let shows = lifts.filter { [.decided(.better), .decided(.worse)].contains($0.outcome) }
    let names = shows.map { "\($0.segment.text) for \($0.group.text)" }
    let found =
      names.isEmpty
      ? "No segment shows a difference of its own."
      : "A difference is shown in \(Phrase.list(names, most: 3))."
    return ReportFigure(
      title: "Segments", lead: "\(found) Many looks at few users each: a place to look for questions, not for answers.",
      of: shown,
      columns: [
        .text("segment", \.segment.text), group,
        .text("metric", \.metric.label),
        .lift("difference", \.lift),
        .lifts({ $0 }, LiftAxis(shown)),
      ],
      note: lifts.count > shown.count
        ? "\(Phrase.count(lifts.count - shown.count)) more stand in comparisons.csv." : nil,
      isFolded: true)
  }

  /// So many lines of segments are drawn.
  private static let longestForest = 120

  /// The group, and its decision beside the name.
  private static var group: FigureColumn<Lift> {
    FigureColumn(heading: "group and decision") { (lift: Lift) in
      .marked(lift.group, word: lift.outcome.words, style: lift.outcome.style)
    }
  }
}

extension Lift.Outcome {
  /// The class that colours it: a direction that is neither good nor bad has the colour of what is open.
  var style: String {
    switch self {
    case .decided(let decision): decision.rawValue
    case .higher, .lower: "described"
    }
  }
}
