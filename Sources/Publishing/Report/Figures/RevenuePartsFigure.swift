import Analysis
import Domain

extension RevenueSplit {
  /// What moved the groups' money, and of which product; nil where nothing did.
  static func figure(of splits: [RevenueSplit]) -> ReportFigure? {
    let rows = RevenuePart.inOrder.flatMap { part in
      splits.compactMap { split in split.total?.part(part).map { (group: split.group, part: $0) } }
    }
    guard let first = splits.first, rows.contains(where: { $0.part.amount != 0 }) else { return nil }
    let digits = Digits.money(rows.map(\.part.amount))
    return ReportFigure(
      title: "What moved the money", method: .prices,
      lead: splits.prefix(mostSentences).map(\.sentence).joined(separator: " "),
      of: rows,
      columns: [
        .text("came of", \.part.part.label),
        .group { $0.group },
        .signedBar("\(first.currency) per user", \.group, \.part.amount) { digits.signed($0.part.amount) },
        .number("may be") { row in
          row.part.interval.map { "\(digits.signed($0.low)) to \(digits.signed($0.high))" }
        },
      ],
      note:
        "Each part is what its factor makes while the others are as in either group, on average over all orders of them. "
        + "The parts add up to the difference. The money is what users paid less what was taken back."
    )
    .folding(
      splits.flatMap { split in split.products.map { (group: split.group, line: $0) } }, columns: columns(of: splits))
  }

  /// So many groups' sentences stand above the table.
  private static let mostSentences = 4

  /// By product, a column for each part.
  private static func columns(of splits: [RevenueSplit]) -> [FigureColumn<(group: StoryGroup, line: Line)>] {
    typealias Row = (group: StoryGroup, line: Line)
    let digits = Digits.money(splits.flatMap(\.products).flatMap(\.parts).map(\.amount))
    func column(_ heading: String, _ part: RevenuePart) -> FigureColumn<Row> {
      .number(heading) { row in row.line.part(part).map { digits.signed($0.amount) } }
    }
    return [.text("product") { $0.line.product?.text ?? "" }, .group { $0.group }]
      + RevenuePart.inOrder.filter { $0 != .difference }.map { column($0.rawValue, $0) }
      + [column("all together", .difference)]
  }
}
