import Domain

extension ValueChange {
  /// What moved each primary metric since the night before, a figure a metric.
  static func figures(of changes: [ValueChange]) -> [ReportFigure] {
    Dictionary(grouping: changes, by: \.metric).sorted { $0.key < $1.key }.map { metric, changes in
      figure(of: metric, changes)
    }
  }

  private typealias Row = (change: ValueChange, part: Part)

  private static func figure(of metric: StoryMetric, _ changes: [ValueChange]) -> ReportFigure {
    let rows: [Row] = changes.flatMap { change in change.parts.map { (change, $0) } }
      .sorted { ($0.part.part.step, $0.change.group) < ($1.part.part.step, $1.change.group) }
    let digits = metric.unit.digits(rows.compactMap(\.part.change))
    let moving = rows.filter { ($0.part.change ?? 0) != 0 }
    let names: [FigureColumn<Row>] = [
      .text("what changed") { StoryWords.plain($0.part.part.rawValue) }, .group { $0.change.group },
    ]
    return ReportFigure(
      title: metric.label, method: .sums, lead: changes.map(\.clause).joined(separator: "; ") + ".",
      of: moving,
      columns: names + [
        .signedBar("moved the value by", \.change.group, \.part.change) {
          $0.part.change.map { digits.signed($0) + metric.unit.changeSuffix } ?? ""
        }
      ]
    )
    .folding(
      rows,
      columns: names + [
        .count("users", \.part.users),
        .number("exactly") { $0.part.change.map { exact($0, metric.unit) } },
      ])
  }

  /// All six decimals that `changes.csv` has.
  private static func exact(_ change: Double, _ unit: Unit) -> String {
    let text = unit == .share ? Phrase.decimal(change * 100, decimals: 4) : Phrase.decimal(change, decimals: 6)
    return text + unit.changeSuffix
  }
}
