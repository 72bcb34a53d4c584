import Domain

extension Funnel {
  /// Users by step and group.
  var figure: ReportFigure {
    let rows = steps.flatMap { step in step.groups.map { (step: step, count: $0) } }
    return ReportFigure(
      title: "Funnel: \(name)", method: .shares, lead: reached ?? "How many users took its step.", of: rows,
      columns: [
        .text("step") { "\($0.step.number). \($0.step.name)" },
        .group { $0.count.group },
        .bar("users", \.count.group, { Double($0.count.users) }) {
          $0.count.isReachable ? Phrase.count($0.count.users) : "cannot take it"
        },
        .share("of the step before") { $0.count.isReachable ? $0.count.ofPrevious : nil },
        .share("of the first") { $0.count.isReachable ? $0.count.ofFirst : nil },
      ],
      note: tooRecent
    )
    .folding(
      rows.filter { $0.count.pValue != nil },
      columns: [
        .text("step") { "\($0.step.number). \($0.step.name)" },
        .group { $0.count.group },
        .pValue("p against the baseline", \.count.pValue),
      ])
  }

  /// Who is in no step yet: users whose time for the steps is not over.
  private var tooRecent: String? {
    let first = steps.first.map { $0.groups.filter { $0.immature > 0 } } ?? []
    guard !first.isEmpty else { return nil }
    let users = first.map { "\(Phrase.count($0.immature)) of \($0.group.inWords)" }
    return "Not counted, as their time for the steps is not over: \(StoryWords.list(users))."
  }
}

extension FunnelSplit {
  var figure: ReportFigure {
    ReportFigure(
      title: "Funnel \(funnel), with and without \(event)", method: .shares, lead: note, of: counts,
      columns: [
        .group { $0.group },
        .text(event.text) { $0.happened ? "yes" : "no" },
        .text("step") { "\($0.step). \($0.name)" },
        .bar("users", \.group, { Double($0.users) }) { Phrase.count($0.users) },
        .share("of the first", \.ofFirst),
      ], isFolded: true)
  }
}
