import Analysis
import Domain

extension Lift {
  /// The comparisons that make the verdict, guardrails too, over everybody; nil where there are none.
  ///
  /// - Parameters:
  ///   - values: each group's own values, whose counts stand beside shares.
  ///   - rule: what is said of the rule that decided.
  ///   - confidence: 1 − α of the intervals.
  static func figure(
    of lifts: [Lift], values: [MetricValues], rule: DecisionWords, confidence: Double
  ) -> ReportFigure? {
    let deciding = lifts.filter(\.isDeciding)
    let lifts = ranked(deciding.contains { !$0.isGuardrail } ? deciding : lifts)
    guard let first = lifts.first else { return nil }
    let isUntrusted = lifts.contains { $0.outcome == .decided(.doNotTrust) }
    let lead =
      isUntrusted
      ? "A check failed, so no line shows a difference: first find out what is wrong."
      : "The dot is the difference seen, the line where the truth may lie. A line off 0 is a difference shown. Lines hold "
        + "\(rule.hold)."
    let note =
      "Lines are \(Phrase.percent(confidence)) intervals, corrected for the number of comparisons; an arrow goes on "
      + "beyond the scale."
    let columns = columns(lifts, baseline: first.baseline, values)
    let groups = Set(lifts.map(\.group)).count
    guard groups > inNamesOrder else {
      return ReportFigure(
        title: "Every group against \(first.baseline.inWords)", method: .lift, lead: lead, of: lifts, columns: columns,
        note: note)
    }
    let foremost = foremost(of: lifts, among: groups).map { "\($0) " } ?? ""
    let title = "All \(groups) groups against \(first.baseline.inWords), the best first"
    guard groups > mostOpen else {
      return ReportFigure(title: title, method: .lift, lead: foremost + lead, of: lifts, columns: columns, note: note)
    }
    let best = Dictionary(grouping: lifts, by: \.metric).sorted { $0.key < $1.key }.flatMap { $1.prefix(mostOpen) }
    let shown =
      "Of each metric the \(mostOpen) groups that gained most stand here; the numbers below have all \(groups)."
    return ReportFigure(
      title: title, method: .lift, lead: "\(foremost)\(shown) \(lead)", of: best, columns: columns, note: note
    ).folding(lifts, columns: columns.dropLast() + [.number("interval") { StoryWords.interval($0.interval) }])
  }

  /// Of more groups the first stand open, the others are folded away.
  private static let mostOpen = 12

  /// `Of 11 groups price_3 lies highest in Net revenue per user, 30 days: 1.31 USD, 51 % above control's; the first of
  /// many is in part the luckiest.`; nil where nobody has a lift.
  private static func foremost(of lifts: [Lift], among groups: Int) -> String? {
    guard let best = lifts.first, let lift = best.lift, let value = best.value else { return nil }
    let end = best.isCost ? "lowest" : "highest"
    let side = "\(Phrase.spoken(lift)) \(lift < 0 ? "below" : "above") \(best.baseline.inWords)'s"
    let reported = "\(best.metric.label): \(best.metric.unit.words(value)), \(side)"
    return
      "Of \(groups) groups \(best.group.inWords) lies \(end) in \(reported); the first of many is in part the luckiest."
  }

  /// The comparisons that make no verdict; nil where there are none beside those that do.
  static func othersFigure(of lifts: [Lift], values: [MetricValues]) -> ReportFigure? {
    let others = ranked(lifts.filter { !$0.isDeciding })
    guard let first = others.first, others.count < lifts.count else { return nil }
    let shown = Set(others.filter { Self.isDifference($0.outcome) }.map(\.metric))
    let names = shown.sorted().map(\.label)
    let found =
      names.isEmpty
      ? "None of them shows a difference."
      : "A difference is shown in \(Phrase.list(names, most: 4))."
    return ReportFigure(
      title: "All other metrics", method: .lift, lead: found, of: others,
      columns: columns(others, baseline: first.baseline, values))
  }

  /// It makes the verdict.
  private var isDeciding: Bool { metric.isPrimary || isGuardrail }

  /// Whether it is shown that the group differs: not that it does not by much, or that nothing can be believed.
  private static func isDifference(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .decided(.better), .decided(.worse), .higher, .lower: true
    case .decided: false
    }
  }

  private static func columns(
    _ lifts: [Lift], baseline: Identifier, _ values: [MetricValues]
  ) -> [FigureColumn<Lift>] {
    let byMetric = Dictionary(values.map { ($0.metric, $0) }) { first, _ in first }
    return [
      .text("metric", \.metric.label), group,
      .counted(
        baseline.text, \.metric, \.baselineValue, among: { [$0.baselineValue, $0.value] },
        of: { byMetric[$0.metric]?.counts(of: $0.baseline, value: $0.baselineValue) }),
      .counted(
        "group", \.metric, \.value, among: { [$0.baselineValue, $0.value] },
        of: { byMetric[$0.metric]?.counts(of: $0.group.name, value: $0.value) }),
      .lift("difference", \.lift),
      .lifts({ $0 }, LiftAxis(lifts)),
    ]
  }

  /// Primary metrics by segment; nil where there are none.
  static func segmentsFigure(of lifts: [Lift]) -> ReportFigure? {
    guard !lifts.isEmpty else { return nil }
    let shown = Array(lifts.prefix(longestForest))
    let shows = lifts.filter { [.decided(.better), .decided(.worse)].contains($0.outcome) }
    let names = shows.map { "\($0.segment.text) for \($0.group.inWords)" }
    let found =
      names.isEmpty
      ? "No segment shows a difference of its own."
      : "A difference is shown in \(Phrase.list(names, most: 3))."
    return ReportFigure(
      title: "Segments", method: .many,
      lead: "\(found) Many looks at few users each: a place to look for questions, not for answers.",
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
