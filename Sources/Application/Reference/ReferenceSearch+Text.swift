import Domain

/// What is found, as the terminal shows it.
extension ReferenceSearch {
  /// The lines to type, the rows of that name, and the section; last where to read on.
  package var text: String {
    let typed = tasks.map { "\($0.words): \($0.position == "terminal" ? "type" : "in \($0.position)") \($0.line)" }
    let also = others.map { "offerlift help \"\($0.title)\"" }
    return [
      typed.joined(separator: "\n"), rows.map(\.text).joined(separator: "\n"), "# \(section.title)\n\(section.path)",
      isRow ? "" : section.text, contents, also.isEmpty ? "" : "See also: \(Phrase.list(also))",
    ].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// Whether what the section says of the topic is its row, so that the whole table need not be printed.
  private var isRow: Bool { rows.contains { $0.section.path == section.path } }

  /// Of a chapter, its sections.
  private var contents: String {
    guard section.level == 1 else { return "" }
    let titles = ReferenceSection.all.filter { $0.chapter == section.chapter && $0.level == 2 }.map { "  \($0.title)" }
    return "Sections:\n" + titles.joined(separator: "\n")
  }

  /// The chapters, the tasks and the complaints there are.
  package static var overview: String {
    let width = (Chapter.allCases.map(\.rawValue.count).max() ?? 0) + 2
    let chapters = ReferenceIndex.chapters.map { chapter, answers in
      "  \(chapter.rawValue)\(String(repeating: " ", count: width - chapter.rawValue.count))\(answers)"
    }
    return [
      "USAGE: offerlift help <topic>", "CHAPTERS\n" + chapters.joined(separator: "\n"),
      "TASKS\n" + ReferenceIndex.tasks.map { "  \($0.words)" }.joined(separator: "\n"),
      "COMPLAINTS\n" + complaints.map { "  \($0)" }.joined(separator: "\n"),
      "A topic is a command, a chapter, a title, a task, a complaint, or the name of a key, metric, check or table.",
    ].joined(separator: "\n\n") + "\n"
  }

  /// What people say, each with its own section.
  static var complaints: [String] {
    ReferenceSection.all.filter { $0.chapter == .troubleshooting && $0.level == 2 }.map(\.title)
  }
}
