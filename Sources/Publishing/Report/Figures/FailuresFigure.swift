import Domain

extension FailureFinding {
  /// Failures by code; nil where nothing failed.
  static func figure(of failures: [FailureFinding]) -> ReportFigure? {
    guard !failures.isEmpty else { return nil }
    return ReportFigure(
      title: "Failures by code", of: failures,
      columns: [
        .text("code", \.kind.code.text),
        .text("group", \.group.text),
        .text("event") { StoryWords.plain($0.kind.event.text) },
        .count("times", \.events),
        .count("receipts", \.transactions),
        .number("of all sent") { failure in
          guard let rate = failure.rate, let receipts = failure.receipts else { return nil }
          return "\(Phrase.percent(rate)) of \(Phrase.count(receipts))"
        },
        .count("users", \.users),
        .text("meaning", \.meaning),
      ])
  }
}
