import Domain

extension FileRows {
  /// Where the rows of each file went.
  static func figure(of files: [FileRows]) -> ReportFigure {
    ReportFigure(
      title: "Where every row went", method: .counting, lead: sums(files), of: files,
      columns: [
        .text("file", \.file),
        .text("input", \.input),
        .count("read", \.read),
        .count("used", \.used),
        .text("set aside") { file in
          file.setAside.map { "\(Phrase.count($0.rows)) \(StoryWords.plain($0.reason))" }.joined(separator: ", ")
        },
      ], isFolded: true)
  }

  /// `51,663 rows read: 49,693 used, 1,970 set aside, each with its reason.`
  private static func sums(_ files: [FileRows]) -> String {
    let (read, used) = (files.reduce(0) { $0 + $1.read }, files.reduce(0) { $0 + $1.used })
    return
      "\(Phrase.count(read, "row")) read: \(Phrase.count(used)) used, \(Phrase.count(read - used)) set aside, each "
      + "with its reason."
  }
}
