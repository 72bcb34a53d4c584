import Analysis

extension CheckFinding {
  /// What checks found that answer a question; nil where none did.
  static func answer(of checks: [CheckFinding]) -> ReportFigure? {
    guard !checks.isEmpty else { return nil }
    return ReportFigure(
      title: "", of: checks,
      columns: [.text("check") { StoryWords.plain($0.name) }, .text("what was found", \.message)])
  }
}
