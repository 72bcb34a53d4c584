import Domain

extension FileChange {
  /// Which files came late or changed, and what late ones added; nil where there is none.
  static func figure(of files: [FileChange]) -> ReportFigure? {
    guard let first = files.first else { return nil }
    let isMoney = files.contains { $0.late.gross != 0 || $0.late.refunded != 0 }
    let money: [FigureColumn<FileChange>] = [
      .money("cost") { Money(micros: $0.late.gross, currency: $0.currency) },
      .count("refunds", \.late.refunds),
      .money("taken back") { Money(micros: $0.late.refunded, currency: $0.currency) },
    ]
    return ReportFigure(
      title: "Files that tell of earlier days", method: .counting,
      lead: sentence(of: files) ?? "\(first.clause).", of: files,
      columns: [
        .text("file", \.file), .text("what changed", \.change.rawValue),
        .count("rows", \.rowsNow), .count("new users", \.late.users), .count("new charges", \.late.charges),
      ] + (isMoney ? money : []) + [.count("other events", \.late.events)])
  }
}

extension Restatement {
  /// What the night before would have shown, a row a metric and group.
  var figure: ReportFigure {
    ReportFigure(
      title: "What that night would show today", method: .sums, lead: sentences.joined(separator: " "), of: values,
      columns: [
        .text("metric", \.metric.label), .group { $0.group },
        .values("published", \.metric, \.published, among: { [$0.published, $0.restated] }),
        .values("today", \.metric, \.restated, among: { [$0.published, $0.restated] }),
        .lift("lift published", \.publishedLift), .text("interval") { StoryWords.interval($0.publishedInterval) },
        .lift("lift today", \.restatedLift), .text("interval today") { StoryWords.interval($0.restatedInterval) },
      ])
  }
}
