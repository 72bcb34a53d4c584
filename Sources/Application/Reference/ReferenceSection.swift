/// A heading of the reference with the text below it.
package struct ReferenceSection: Sendable {
  let chapter: Chapter
  /// The heading without marks of code: `Times and time zones`.
  let title: String
  /// How deep the heading is; 1 is the chapter itself.
  let level: Int
  /// The lines below, down to the next heading of this level; of a chapter the lines before its first section.
  let text: String

  /// Where to read it in a browser: `jobs/reference/inputs.md#times-and-time-zones`.
  var path: String { level == 1 ? chapter.path : "\(chapter.path)#\(Self.anchor(title))" }

  /// A heading's name in links, by GitHub's rule.
  static func anchor(_ title: String) -> String {
    String(title.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.map { $0 == " " ? "-" : $0 })
  }

  /// All of them, in the order of the chapters.
  static let all = Chapter.allCases.flatMap(sections)

  private static func sections(of chapter: Chapter) -> [ReferenceSection] {
    let lines = chapter.markdown.split(separator: "\n", omittingEmptySubsequences: false)
    let headings = headings(of: lines)
    return headings.enumerated().map { number, heading in
      let next = headings.dropFirst(number + 1).first { heading.level == 1 || $0.level <= heading.level }
      let below = lines[(heading.line + 1)..<(next?.line ?? lines.count)].filter { !$0.hasPrefix("<!-- ") }
      return ReferenceSection(
        chapter: chapter, title: heading.title, level: heading.level, text: joined(below))
    }
  }

  private static func headings(of lines: [Substring]) -> [(line: Int, level: Int, title: String)] {
    var isCode = false
    return lines.enumerated().compactMap { number, line -> (line: Int, level: Int, title: String)? in
      if line.hasPrefix("```") { isCode.toggle() }
      let level = line.prefix { $0 == "#" }.count
      guard !isCode, (1...4).contains(level), line.dropFirst(level).first == " " else { return nil }
      return (number, level, String(line.dropFirst(level + 1)).replacing("`", with: ""))
    }
  }

  /// The lines as one text, without blank ones at its ends and without two in a row.
  private static func joined(_ lines: [Substring]) -> String {
    let retained = zip(lines, [""] + lines).filter { !$0.isEmpty || !$1.isEmpty }.map(\.0)
    let body = retained.drop(while: \.isEmpty)
    return body.prefix((body.lastIndex { !$0.isEmpty } ?? body.startIndex - 1) + 1 - body.startIndex)
      .joined(separator: "\n")
  }
}
