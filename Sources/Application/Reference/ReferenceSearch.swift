import Domain
import Foundation

/// Finds what the reference says of a topic: a chapter, a section, a name in a table, a task or a complaint.
package struct ReferenceSearch: Sendable {
  /// Tasks of the index with every word of the topic.
  let tasks: [ReferenceIndex.Task]
  /// Rows of tables whose first cell is the topic, or the key of the one task that it is.
  let rows: [(section: ReferenceSection, text: String)]
  /// The section nearest to the topic.
  let section: ReferenceSection
  /// The next nearest, at most two.
  let others: [ReferenceSection]

  /// - Throws: `OfferliftError`, exit 64, with the three nearest titles, where no section has a word of the topic.
  package init(_ topic: String) throws {
    let wanted = Self.words(topic)
    tasks = Array(ReferenceIndex.tasks.filter { Set(wanted).isSubset(of: Self.words($0.words)) }.prefix(5))
    let key = tasks.count == 1 && !tasks[0].line.hasPrefix("{") ? tasks[0].line.split(separator: ":").first : nil
    rows = ([topic] + (key.map { [String($0)] } ?? [])).flatMap(Self.rows)
    let ranked = Self.ranked(topic, wanted)
    guard let section = ranked.first else {
      let names = Self.nearest(to: wanted).map { "\"\($0)\"" }
      throw OfferliftError(
        .usage, "There is no topic \"\(topic)\"; the nearest are \(Phrase.list(names)). Type: offerlift help")
    }
    self.section = section
    others = Array(ranked.dropFirst().prefix(2))
  }

  // MARK: - Words

  private static let common: Set<String> = [
    "a", "an", "and", "be", "do", "does", "for", "how", "i", "in", "is", "it", "me", "my", "of", "on", "or", "the",
    "to", "what", "with",
  ]

  /// The words of a text that say something, without the plural's s.
  static func words(_ text: some StringProtocol) -> [String] {
    let all = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { word in
      word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : String(word)
    }
    let some = all.filter { !common.contains($0) }
    return some.isEmpty ? all : some
  }

  /// What a section is searched by.
  private struct Entry: Sendable {
    let section: ReferenceSection
    let title: [String]
    /// The words of the tasks that lead to it.
    let tasks: Set<String>
    let text: Set<String>
  }

  private static let entries = ReferenceSection.all.map { section in
    let link = section.path.dropFirst("jobs/reference/".count)
    let tasks = ReferenceIndex.tasks.filter { $0.link == link }
    return Entry(
      section: section, title: words(section.title), tasks: Set(tasks.flatMap { words($0.words) }),
      text: Set(words(section.text)))
  }

  // MARK: - Ranks

  /// Sections with a word of the topic, best first. The very title comes first, then one of the same words. Else a word
  /// in the title weighs most, and a rare word more than one that many sections have.
  private static func ranked(_ topic: String, _ wanted: [String]) -> [ReferenceSection] {
    let weights = wanted.map { word in
      log(Double(entries.count + 1) / Double(1 + entries.count { $0.text.contains(word) || $0.title.contains(word) }))
    }
    let scored = entries.map { entry -> (section: ReferenceSection, score: Double) in
      if entry.section.title.lowercased() == topic.lowercased() { return (entry.section, .infinity) }
      if entry.title == wanted { return (entry.section, .greatestFiniteMagnitude) }
      let score = zip(wanted, weights).reduce(0.0) { sum, pair in
        let positions = (entry.title.contains(pair.0) ? 4 : 0) + (entry.tasks.contains(pair.0) ? 2 : 0)
        return sum + pair.1 * Double(positions + (entry.text.contains(pair.0) ? 1 : 0))
      }
      return (entry.section, score)
    }
    let found = scored.enumerated().filter { $0.element.score > 0 }
    return found.sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element.section)
  }

  /// The titles whose words are spelt most like the topic's, at most three.
  private static func nearest(to wanted: [String]) -> [String] {
    let ranked = entries.map { entry in
      (
        title: entry.section.title,
        distance: wanted.reduce(0) { sum, word in
          sum + ((entry.title + entry.tasks).map { editDistance(word, $0) }.min() ?? word.count)
        }
      )
    }
    return ranked.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .prefix(3).map(\.element.title)
  }

  /// Rows that explain a name: a key, metric, check, column or exit code, with the section that holds them.
  private static func rows(named topic: String) -> [(section: ReferenceSection, text: String)] {
    ReferenceSection.all.filter { $0.level > 1 }.flatMap { section in
      MarkdownTable.rows(of: section.text).filter { ["`\(topic)`", topic].contains($0.cells.first) }.map { row in
        let pairs = zip(row.header, row.cells).filter { !$1.isEmpty }.map { "\($0): \($1)" }
        return (section, "\(section.title)\n  " + pairs.joined(separator: "\n  "))
      }
    }
  }
}
