import Domain

/// The parts of `summary.md` about what an offering's users did beside the metrics: a short table each, nothing where
/// there is nothing.
struct SummaryTables {
  let offering: OfferingStory

  /// Products, codes and values beyond so many are only counted.
  static let maximumRows = 8

  var text: String {
    let parts = [
      funnels, funnelSplits, products, charges, states, retention, failures, trialDays, outside, displayPrices,
    ]
    return parts.filter { !$0.isEmpty }.map { "\n" + $0 }.joined()
  }

  /// A line of a table: what it is about, and a cell for each group.
  struct Line {
    let label: String
    let cells: [String]
  }

  /// A line whose cells are made group by group; empty where a group has none.
  func line(_ label: String, _ cell: (StoryGroup) -> String?) -> Line {
    Line(label: label, cells: offering.groups.map { cell($0) ?? "" })
  }

  /// A table with a column for each group; empty without lines.
  ///
  /// - Parameters:
  ///   - limit: how many lines are shown.
  ///   - what: what those beyond are.
  func table(_ title: String, _ lines: [Line], limit: Int = .max, of what: String = "") -> String {
    guard !lines.isEmpty else { return "" }
    let columns = offering.groups.map { Markdown.Column.number(Markdown.escape($0.text)) }
    let rows = lines.prefix(limit).map { [Markdown.escape($0.label)] + $0.cells }
    let text = Markdown.table([.text(Markdown.escape(title))] + columns, rows)
    return lines.count > limit ? text + "\nand \(Phrase.count(lines.count - limit)) more \(what).\n" : text
  }
}
