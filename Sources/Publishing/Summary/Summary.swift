import Analysis
import Domain

/// Makes `summary.md` of a night's story: the night in words, for chat and mail.
///
/// A verdict for each offering, the questions, the figures over everybody, what the users did beside them, what the
/// checks found, and where the rows went.
enum Summary {
  static func text(of story: NightStory) -> String {
    let heading = """
      # \(Markdown.escape(story.job)), night of \(story.night)

      Everything before \(story.cutoff), money in \(story.currency). \(story.readingAdvice)

      """
    let offerings = story.offerings.map { text(of: $0, in: story) }
    let parts = [heading] + offerings + [checks(story.health), rows(story.inputs)]
    return PrintableText.escapedLines(parts.joined(separator: "\n"))
  }

  private static func text(of offering: OfferingStory, in story: NightStory) -> String {
    let verdict = offering.verdict
    return """
      ## \(Markdown.escape(offering.offering.text)): \(verdict.decision.words)

      \(Markdown.escape(verdict.sentence))

      """ + SummaryQuestions(story: story, offering: offering).text + lifts(offering.lifts)
        + SummaryTables(offering: offering).text
  }

  private static func lifts(_ lifts: [Lift]) -> String {
    guard !lifts.isEmpty else { return "" }
    let columns: [Markdown.Column] = [
      .text("group"), .text("metric"), .number("baseline"), .number("value"), .number("lift"), .number("interval"),
      .text("decision"),
    ]
    return "\n" + Markdown.table(columns, lifts.map(cells))
  }

  private static func cells(of lift: Lift) -> [String] {
    let (metric, unit) = (Markdown.escape(lift.metric.text), lift.metric.unit)
    return [
      Markdown.escape(lift.group.text), lift.metric.isPrimary ? "**\(metric)**" : metric,
      StoryWords.known(lift.baselineValue, in: unit), StoryWords.known(lift.value, in: unit),
      StoryWords.lift(lift.lift), StoryWords.lifts(lift.interval), lift.outcome.words,
    ]
  }

  /// What failed, then what warns, each with its sentence; what passed by name.
  private static func checks(_ health: Health) -> String {
    let troubles = health.troubles.map { check in
      let place = check.offering.map { " (\(Markdown.escape($0.text)))" } ?? ""
      return
        "- **\(check.status.rawValue)** \(Markdown.escape(check.name))\(place): \(Markdown.escape(check.message))\n"
    }
    let quiet = Set(health.passed.map(\.name)).subtracting(health.troubles.map(\.name)).sorted()
    let passed = quiet.isEmpty ? "" : "- pass: \(Markdown.escape(quiet.joined(separator: ", ")))\n"
    return "## Checks\n\n" + troubles.joined() + passed
  }

  /// Rows by input: read, used, and not used by reason.
  private static func rows(_ inputs: [InputRows]) -> String {
    let columns: [Markdown.Column] = [.text("input"), .number("read"), .number("used"), .text("set aside")]
    let lines = inputs.map { input in
      let reasons = input.setAside.sorted { $0.key < $1.key }.map { "\(Phrase.count($0.value)) \($0.key)" }
      return [
        Markdown.escape(input.input), Phrase.count(input.read), Phrase.count(input.used),
        Markdown.escape(reasons.joined(separator: ", ")),
      ]
    }
    return "## Rows\n\n" + Markdown.table(columns, lines)
  }
}
