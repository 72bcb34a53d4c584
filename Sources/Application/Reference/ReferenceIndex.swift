/// The index of the reference, `jobs/README.md`: what each chapter answers, and the tasks with the line to type.
enum ReferenceIndex {
  /// A task in the user's words.
  struct Task {
    let words: String
    /// What to type: a key of the job, or a command.
    let line: String
    /// Where it goes: `job`, `assignments`, `purchases`, `metrics` or `terminal`.
    let position: String
    /// The section that explains it: `inputs.md#leave-out-rows`.
    let link: String
  }

  /// Each chapter with the questions that it answers.
  static let chapters: [(chapter: Chapter, answers: String)] = rows.compactMap { cells in
    guard cells.count == 2,
      let chapter = Chapter.allCases.first(where: { cells[0].contains("(reference/\($0.rawValue).md)") })
    else { return nil }
    return (chapter, cells[1])
  }

  static let tasks: [Task] = rows.compactMap { cells in
    guard cells.count == 4, let link = cells[3].firstMatch(of: /\(reference\/([^)]+)\)/)?.1 else { return nil }
    return Task(words: cells[0], line: cells[1].replacing("`", with: ""), position: cells[2], link: String(link))
  }

  private static let rows =
    String(decoding: PackageResources.index_md, as: UTF8.self).split(separator: "\n").compactMap(MarkdownTable.cells)
}
