import Domain

extension TrialDayFinding {
  /// Payers by day of their trial; nil where there are none.
  static func figure(of days: [TrialDayFinding]) -> ReportFigure? {
    guard !days.isEmpty else { return nil }
    return ReportFigure(
      title: "Day of the trial on which users first paid",
      lead: "Of each day only trials that began so long ago that the day is over.", of: days,
      columns: [
        .text("day") { "\($0.day)" },
        .text("group", \.group.text),
        .bar("paid", \.group, { Double($0.paid) }) { Phrase.count($0.paid) },
        .count("trials", \.trials),
        .share("share", \.share),
      ], isFolded: true)
  }
}
