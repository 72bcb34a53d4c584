import Domain

extension Funnel {
  /// Users by step and group, drawn and in numbers.
  var figure: ReportFigure {
    let rows = steps.flatMap { step in step.groups.map { (step: step, count: $0) } }
    let bars = rows.map { step, count in
      BarChart.Bar(
        group: count.group, label: "\(step.name), \(count.group.text)", value: Double(count.users), interval: nil,
        text: "\(Phrase.count(count.users)) (\(count.ofFirst.map(Phrase.percent) ?? ""))")
    }
    return ReportFigure(
      title: "Funnel: \(name)", svg: BarChart(bars: bars).svg(title: "Funnel \(name) by group"), of: rows,
      columns: [
        .text("step") { "\($0.step.number). \($0.step.name)" },
        .text("group", \.count.group.text),
        .count("users", \.count.users),
        .share("of the step before", \.count.ofPrevious),
        .share("of the first", \.count.ofFirst),
        pValues,
      ],
      note: tooRecent)
  }

  private var pValues: FigureColumn<(step: Step, count: Count)> {
    let tested = FigureColumn<(step: Step, count: Count)>.pValue("p against the baseline", \.count.pValue)
    return FigureColumn(heading: tested.heading) {
      $0.count.isReachable ? tested.cell($0) : .text("cannot take it")
    }
  }

  /// Who is in no step yet: users whose time for the steps is not over.
  private var tooRecent: String? {
    let first = steps.first.map { $0.groups.filter { $0.immature > 0 } } ?? []
    guard !first.isEmpty else { return nil }
    let users = first.map { "\(Phrase.count($0.immature)) of \($0.group.text)" }
    return "Not counted, as their time for the steps is not over: \(Phrase.list(users))."
  }
}

extension FunnelSplit {
  var figure: ReportFigure {
    ReportFigure(
      title: "Funnel \(funnel), with and without \(event)", of: counts,
      columns: [
        .text("group", \.group.text),
        .text(event.text) { $0.happened ? "yes" : "no" },
        .text("step") { "\($0.step). \($0.name)" },
        .count("users", \.users),
        .share("of the first", \.ofFirst),
      ],
      note: note)
  }
}
