import Domain

extension TrialDayFinding {
  /// Payers by day of their trial; nil where there are none.
  static func figure(of days: [TrialDayFinding]) -> ReportFigure? {
    guard !days.isEmpty else { return nil }
    return ReportFigure(
      title: "Day of the trial on which users first paid", method: .counting,
      lead: busiest(days), of: days,
      columns: [
        .text("day") { "\($0.day)" },
        .group { $0.group },
        .bar("paid", \.group, { Double($0.paid) }) { Phrase.count($0.paid) },
        .count("trials", \.trials),
        .share("share", \.share),
      ],
      note: "Of each day only trials that began so long ago that the day is over.", isFolded: true)
  }

  /// `Most pay first on day 29 in control (7.72 % of its trials) and on day 15 in banner (9.1 %).`
  private static func busiest(_ days: [TrialDayFinding]) -> String {
    let best = Dictionary(grouping: days, by: \.group).sorted { $0.key < $1.key }.compactMap { group, days in
      days.filter { $0.paid > 0 }.max { ($0.share ?? 0, $1.day) < ($1.share ?? 0, $0.day) }
    }
    guard !best.isEmpty else { return "Nobody paid yet." }
    if best.count > 1, Set(best.map(\.day)).count == 1 {
      let shares = best.compactMap { day in day.share.map { "\(Phrase.percent($0)) of \(day.group.inWords)'s trials" } }
      return "Most pay first on day \(best[0].day): \(StoryWords.list(shares))."
    }
    let words = best.map { day in
      "on day \(day.day) in \(day.group.inWords)\(day.share.map { " (\(Phrase.percent($0)) of trials)" } ?? "")"
    }
    return "Most pay first \(StoryWords.list(words))."
  }
}
