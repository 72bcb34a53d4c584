import Analysis
import Domain
import Jobs
import Mustache

/// Makes `report.html` from a run's tables and nothing else: one file that fetches nothing.
package struct Report {
  let head: ReportHead
  package let tables: [String: ReportTable]
  package let words: ReportWords

  package init(head: ReportHead, tables: [String: ReportTable]) {
    self.head = head
    self.tables = tables
    words = ReportWords(currency: head.currency, groupMetrics: tables["group_metrics"] ?? ReportTable())
  }

  /// The report of a run at hand.
  static func html(of night: NightResult, tables: [Table]) throws -> String {
    let known = Dictionary(tables.map { ($0.name, ReportTable($0)) }, uniquingKeysWith: { first, _ in first })
    return try Report(head: ReportHead(night), tables: known).html()
  }

  /// The whole page.
  ///
  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  func html() throws -> String {
    var library = MustacheLibrary()
    do {
      try library.register(ReportTemplate.figure, named: "figure")
      try library.register(ReportTemplate.page, named: "page")
    } catch {
      throw OfferliftError(.internalError, "the report's template cannot be read: \(error)")
    }
    guard let page = library.render(context, withTemplate: "page") else {
      throw OfferliftError(.internalError, "the report's template is missing.")
    }
    return page
  }

  /// The rows of a table; none where the run has no such table.
  package func rows(_ table: String) -> [ReportTable.Row] { tables[table]?.rows ?? [] }

  private var context: [String: Any] {
    [
      "job": head.job, "night": head.night, "asOf": head.asOf, "currency": head.currency, "style": ReportTemplate.style,
      "reading": reading, "offerings": offerings, "troubles": checks(["fail", "warn"]), "passed": checks(["pass"]),
      "isHealthy": checks(["fail", "warn"]).isEmpty, "setAside": setAside.context,
    ]
  }

  /// How the figures may be read.
  private var reading: String {
    ReadingAdvice.sentence(
      decideBy: Job.DecideBy(rawValue: head.decideBy) ?? .sequential, confidence: head.confidence)
  }

  private var offerings: [[String: Any]] {
    head.verdicts.map { verdict in
      OfferingSection(report: self, offering: verdict.offeringId).context.merging([
        "offering": verdict.offeringId, "decision": verdict.decision,
        "decisionWords": ReportWords.plain(verdict.decision), "sentence": verdict.sentence,
      ]) { $1 }
    }
  }

  private func checks(_ statuses: [String]) -> [[String: Any]] {
    statuses.flatMap { status in
      rows("checks").filter { $0["status"] == status }.map { row in
        let place = [row["offering_id"], row["subject"]].filter { !$0.isEmpty }.joined(separator: ", ")
        return [
          "status": status, "name": ReportWords.plain(row["check"]), "place": place, "hasPlace": !place.isEmpty,
          "message": row["message"],
        ] as [String: Any]
      }
    }
  }

  /// Where the rows of each input went.
  private var setAside: ReportFigure {
    var lines: [[String]] = []
    for row in rows("inputs") {
      let reason =
        row["reason"].isEmpty ? "" : "\(words.count(row["rows_set_aside"])) \(ReportWords.plain(row["reason"]))"
      if let last = lines.last, last[0] == row["file"] {
        lines[lines.count - 1][4] += reason.isEmpty ? "" : ", " + reason
      } else {
        lines.append([row["file"], row["input"], words.count(row["rows"]), words.count(row["used"]), reason])
      }
    }
    return ReportFigure(
      title: "Where every row went", headings: ["file", "input", "read", "used", "set aside"], rows: lines)
  }
}
