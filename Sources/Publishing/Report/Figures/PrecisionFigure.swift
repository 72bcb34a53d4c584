import Domain

extension Plan {
  /// How precise the test is against what its plan asks for, a bar a metric; nil without a plan.
  static func figure(of plans: [Plan]) -> ReportFigure? {
    let rows = plans.filter(\.isPlanned).compactMap(Precision.init)
    guard !rows.isEmpty else { return nil }
    let more = rows.count - mostSaid
    return ReportFigure(
      title: "How precise the test is", method: .plans,
      lead: rows.prefix(mostSaid).map(\.sentence).joined(separator: " ")
        + (more > 0 ? " \(Phrase.count(more, "more metric")) below." : ""),
      of: rows,
      columns: [
        .text("metric", \.metric.label),
        FigureColumn(heading: "as precise as asked") { (row: Precision) in row.bar },
        .number("sees today") { Phrase.spoken($0.found) },
        .number("asked for") { Phrase.change($0.aim) },
        .count("users now", \.usersNow),
        .count("users it takes", \.usersNeeded),
      ],
      note:
        "The bar is full where a difference of the size asked for is found in 8 of 10 tests. Twice as precise takes "
        + "four times the users.")
  }

  /// More metrics have their bars alone.
  private static let mostSaid = 3

  /// What the test of one metric can see, beside what it was to see.
  private struct Precision {
    let metric: StoryMetric
    /// The lift that today's users would show, up or down.
    let found: Double
    /// The lift it set out to find, below 0 where less is better.
    let aim: Double
    let usersNow: Int?
    let usersNeeded: Int?

    init?(_ plan: Plan) {
      guard let found = plan.detectableLift, found > 0, let aim = plan.lift, aim != 0 else { return nil }
      self.metric = plan.metric
      self.found = found
      self.aim = aim
      usersNow = plan.usersNow
      usersNeeded = plan.usersNeeded
    }

    /// 1 where it sees what it set out to.
    private var share: Double { min(1, aim.magnitude / found) }

    /// `Net revenue per user, 30 days: with today's users it reliably sees 56 % or more; 10 % takes 617,000 users.`
    var sentence: String {
      let now = "\(metric.label): with today's users it reliably sees \(Phrase.spoken(found)) or more"
      guard share < 1, let usersNeeded else { return "\(now)." }
      return "\(now); \(Phrase.spoken(aim.magnitude)) takes \(Phrase.rounded(Double(usersNeeded))) users."
    }

    var bar: FigureTable.Cell {
      let text = share < 1 ? Phrase.spoken(share) : "reached"
      var svg = SVG()
      svg.bar(width: 98 * share, height: 12, class: share < 1 ? "bar precision" : "bar precision reached")
      svg.line((98, 0), (98, 14), class: "zero")
      return .bar(svg.element(title: "\(metric.label): \(text)", class: "bars"), text: text)
    }
  }
}
