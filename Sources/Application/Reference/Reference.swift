import Domain

/// The parts of a Markdown file that are written from the code, so that they cannot lie.
///
/// Such a part stands between two marks, which name it, and is written anew as a whole:
///
///     <!-- generated: checks -->
///     …
///     <!-- end of checks -->
package enum Reference {
  /// The text with every marked part as the code has it.
  ///
  /// - Parameter commands: the part of that name, which only the command line can write.
  /// - Throws: `OfferliftError`, exit 64, where a mark names no part, or has no end.
  package static func renewed(_ text: String, commands: String) throws -> String {
    let parts = Dictionary(uniqueKeysWithValues: all + [("commands", commands)])
    var lines: [Substring] = []
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = rest.popFirst() {
      lines.append(line)
      guard let name = name(of: line) else { continue }
      guard let part = parts[name], let end = rest.firstIndex(of: "<!-- end of \(name) -->") else {
        let known = parts.keys.sorted().joined(separator: ", ")
        throw OfferliftError(.usage, "\(line): there is no such part, or no end of it; the parts are \(known).")
      }
      lines += ["", Substring(part), ""]
      rest = rest[end...]
    }
    return lines.joined(separator: "\n")
  }

  /// The names of the parts that a text marks, in order.
  package static func parts(of text: String) -> [String] {
    text.split(separator: "\n").compactMap(name)
  }

  /// The names of all parts there are.
  package static var names: [String] { all.map(\.name) + ["commands"] }

  private static func name(of line: Substring) -> String? {
    guard line.hasPrefix("<!-- generated: "), line.hasSuffix(" -->") else { return nil }
    return String(line.dropFirst("<!-- generated: ".count).dropLast(" -->".count))
  }

  private static var all: [(name: String, text: String)] {
    keys + tables + [
      ("formats", formats), ("calls", calls), ("event types", eventTypes), ("metrics", metrics), ("views", views),
      ("decisions", decisions), ("checks", checks), ("reasons", reasons), ("exit codes", exitCodes),
    ]
  }
}
