extension TrialDayFinding {
  /// Payers by day of their trial; nil where there are none.
  static func figure(of days: [TrialDayFinding]) -> ReportFigure? {
    guard !days.isEmpty else { return nil }
    return ReportFigure(
      title: "Day of the trial on which users first paid", of: days,
      columns: [
        .text("day") { "\($0.day)" },
        .text("group", \.group.text),
        .count("trials", \.trials),
        .count("paid", \.paid),
        .share("share", \.share),
      ],
      note: "Of each day only trials that began so long ago that the day is over.")
  }
}
