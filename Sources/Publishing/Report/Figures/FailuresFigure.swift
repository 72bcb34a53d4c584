import Domain

extension FailureFinding {
  /// Failures by code; nil where nothing failed.
  static func figure(of failures: [FailureFinding]) -> ReportFigure? {
    guard !failures.isEmpty else { return nil }
    return ReportFigure(
      title: "Failures by code", method: .counting, lead: commonest(failures),
      of: failures,
      columns: [.text("code") { $0.kind.code == "" ? "none" : $0.kind.code.text }] + messages(of: failures) + [
        .group { $0.group },
        .text("event") { StoryWords.plain($0.kind.event.text) },
        .count("times", \.events),
        .count("receipts", \.transactions),
        .number("of all sent") { failure in
          guard let rate = failure.rate, let receipts = failure.receipts else { return nil }
          return "\(Phrase.percent(rate)) of \(Phrase.count(receipts))"
        },
        .count("users", \.users),
        .text("meaning", \.meaning),
      ], isFolded: true)
  }

  /// A column only where a failure tells a message.
  private static func messages(of failures: [FailureFinding]) -> [FigureColumn<FailureFinding>] {
    failures.contains { $0.kind.message != "" } ? [.text("message", \.kind.message.text)] : []
  }

  /// `21 failures; most often purchase failed E7 (12 times).`
  private static func commonest(_ failures: [FailureFinding]) -> String {
    let kinds = Dictionary(grouping: failures, by: \.kind).mapValues { $0.reduce(0) { $0 + $1.events } }
    let most = kinds.sorted { $0.key < $1.key }.max { $0.value < $1.value }
    let name = most.map {
      "; most often \($0.key.text) (\(Phrase.count($0.value, "time")))"
    }
    return "\(Phrase.count(kinds.values.reduce(0, +), "failure")) on the way to a purchase\(name ?? "")."
  }
}
