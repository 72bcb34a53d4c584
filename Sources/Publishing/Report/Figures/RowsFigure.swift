import Domain

extension FileRows {
  /// Where the rows of each file went.
  static func figure(of files: [FileRows]) -> ReportFigure {
    ReportFigure(
      title: "Where every row went", of: files,
      columns: [
        .text("file", \.file),
        .text("input", \.input),
        .count("read", \.read),
        .count("used", \.used),
        .text("set aside") { file in
          file.setAside.map { "\(Phrase.count($0.rows)) \(StoryWords.plain($0.reason))" }.joined(separator: ", ")
        },
      ])
  }
}
