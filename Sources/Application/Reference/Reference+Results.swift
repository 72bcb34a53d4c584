import Analysis
import Domain
import Publishing

/// What comes out.
extension Reference {
  /// A part a table: `table comparisons`.
  static var tables: [(name: String, text: String)] {
    ResultCatalog.tables.map { table in
      let rows = table.columns.map { ["`\($0.name)`", $0.holds, $0.meaning] }
      return (
        "table \(table.name)",
        "## `\(table.name).csv`\n\n\(table.meaning)\n\n" + MarkdownTable.text(["column", "holds", "meaning"], rows)
      )
    }
  }

  static var views: String {
    MarkdownTable.text(["view", "answers"], ResultCatalog.views.map { ["`\($0.name)`", $0.meaning] })
  }

  static var decisions: String {
    MarkdownTable.text(["decision", "when"], Decision.allCases.map { ["`\($0.rawValue)`", $0.meaning] })
  }

  static var reasons: String {
    MarkdownTable.text(
      ["reason", "the row", "counts against `max_reject_ratio`", "what to do"],
      SetAsideReason.allCases.map { ["`\($0.rawValue)`", $0.meaning, $0.isReject ? "yes" : "", $0.remedy ?? ""] })
  }

  static var exitCodes: String {
    let ours = [
      ["0", "published", ""], ["3", "published, but a check failed (`--strict`)", "read the check's sentence first"],
    ]
    let errors = OfferliftError.ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning, $0.remedy] }
    return MarkdownTable.text(["code", "meaning", "what to do, where the message does not say it"], ours + errors)
  }
}
