import Foundation

/// Tables in Markdown.
enum MarkdownTable {
  /// A table; what stands in a cell keeps to its cell.
  static func text(_ header: [String], _ rows: [[String]]) -> String {
    let lines = [header, header.map { _ in "---" }] + rows
    return lines.map { "| " + $0.map(cell).joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// The cells of a table's line; nil of any other line.
  static func cells(_ line: some StringProtocol) -> [String]? {
    guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
    let inner = String(line.dropFirst(2).dropLast(2)).replacing("\\|", with: "\0")
    return inner.split(separator: " | ", omittingEmptySubsequences: false).map {
      String($0).replacing("\0", with: "|").trimmingCharacters(in: .whitespaces)
    }
  }

  /// The rows of all tables of a text, each with the header of its table.
  static func rows(of text: String) -> [(header: [String], cells: [String])] {
    var rows: [(header: [String], cells: [String])] = []
    var header: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let cells = cells(line) else {
        // The line below a header may be written without blanks.
        if !line.hasPrefix("|") { header = nil }
        continue
      }
      guard let known = header else {
        header = cells
        continue
      }
      if cells.contains(where: { $0 != "---" }) { rows.append((known, cells)) }
    }
    return rows
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("\n", with: " ") }
}
