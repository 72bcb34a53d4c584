import Analysis
import Domain
import Engine
import Jobs
import Statistics

/// Writes `summary.md`: the night in words, for chat and mail.
///
/// A verdict for each offering, its figures over everybody, what its users did beside them, what is wrong first
/// among the checks, and where the rows went.
enum SummaryExporter {
  static func text(of night: NightResult) -> String {
    let heading = """
      # \(escape(night.job)), night of \(night.night)

      Everything before \(night.asOf.rfc3339), money in \(night.currency). \
      \(ReadingAdvice.sentence(decideBy: night.decideBy, confidence: night.confidence))

      """
    let offerings = night.verdicts.map { offering($0, of: night) }
    return PrintableText.escapedLines(
      ([heading] + offerings + [checks(night), setAside(night)]).joined(separator: "\n"))
  }

  private static func offering(_ verdict: OfferingVerdict, of night: NightResult) -> String {
    let rows = night.comparisons.filter {
      $0.key.offering == verdict.offering && $0.key.segment == CellKey.everybody
    }
    var text =
      "## \(escape(verdict.offering.text)): \(verdict.decision.words)\n\n\(escape(verdict.sentence))\n"
    text += SummaryQuestions(night: night, offering: verdict.offering).text
    let tables = SummaryTables(night: night, offering: verdict.offering).text
    guard !rows.isEmpty else { return text + tables }
    text += "\n| group | metric | baseline | value | lift | interval | decision |\n"
    text += "|---|---|--:|--:|--:|--:|---|\n"
    for row in sorted(rows) { text += line(row, of: night) }
    return text + tables
  }

  /// Primary metrics first, then by metric and group.
  private static func sorted(_ rows: [ComparisonRow]) -> [ComparisonRow] {
    rows.sorted { left, right in
      if left.primary != right.primary { return left.primary }
      if left.key.metric != right.key.metric { return left.key.metric < right.key.metric }
      return left.key.group < right.key.group
    }
  }

  private static func line(_ row: ComparisonRow, of night: NightResult) -> String {
    func value(_ value: Double?) -> String {
      let currency = row.isMoney ? night.currency : nil
      return value.map { Phrase.value($0, kind: row.kind, currency: currency) } ?? "nothing yet"
    }
    let interval = row.decidedLiftInterval.map { "\(Phrase.lift($0.low)) to \(Phrase.lift($0.high))" }
    let metric = escape(row.key.metric.text)
    let cells = [
      escape(row.key.group.text), row.primary ? "**\(metric)**" : metric, value(row.baselineValue),
      value(row.value), row.lift.map(Phrase.lift) ?? "", interval ?? "", row.decisionWords,
    ]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// What failed, then what warns, each with its sentence; what passed by name.
  private static func checks(_ night: NightResult) -> String {
    var text = "## Checks\n\n"
    for status in [Check.Status.fail, .warn] {
      for check in night.checks where check.status == status {
        let place = check.offering.map { " (\(escape($0.text)))" } ?? ""
        text += "- **\(status.rawValue)** \(escape(check.name))\(place): \(escape(check.message))\n"
      }
    }
    let passed = Set(night.checks.filter { $0.status == .pass }.map(\.name))
    let troubled = Set(night.checks.filter { $0.status != .pass }.map(\.name))
    let quiet = passed.subtracting(troubled).sorted()
    return quiet.isEmpty ? text : text + "- pass: \(escape(quiet.joined(separator: ", ")))\n"
  }

  /// Rows by input: read, used, and not used by reason.
  private static func setAside(_ night: NightResult) -> String {
    var inputs: [(name: String, rows: Int, used: Int, reasons: [SetAsideReason: Int])] = []
    for account in night.accounts {
      if !inputs.contains(where: { $0.name == account.input }) { inputs.append((account.input, 0, 0, [:])) }
      guard let index = inputs.firstIndex(where: { $0.name == account.input }) else { continue }
      inputs[index].rows += account.rows
      inputs[index].used += account.used
      inputs[index].reasons.merge(account.setAside, uniquingKeysWith: +)
    }
    var text = "## Rows\n\n| input | read | used | set aside |\n|---|--:|--:|---|\n"
    for input in inputs {
      let reasons = input.reasons.sorted { $0.key < $1.key }
        .map { "\(Phrase.count($0.value)) \($0.key.rawValue)" }.joined(separator: ", ")
      text +=
        "| \(escape(input.name)) | \(Phrase.count(input.rows)) | \(Phrase.count(input.used)) | \(escape(reasons)) |\n"
    }
    return text
  }

  /// Text from the data as Markdown shows it literally, on one line.
  static func escape(_ text: String) -> String {
    var result = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\\", "|", "*", "`", "[", "]", "~": result += "\\\(scalar)"
      case "<" where index + 1 < scalars.count && scalars[index + 1] != " ": result += "\\<"
      case "\n", "\r", "\t": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
