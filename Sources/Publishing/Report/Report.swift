import Domain
import Mustache

/// Makes `report.html` of a night's story: one file that fetches nothing.
enum Report {
  /// The whole page.
  ///
  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  static func html(of story: NightStory) throws -> String {
    IsolatedNames(story.names).isolated(in: try PageTemplate.report.render(context(story)))
  }

  private static func context(_ story: NightStory) -> [String: Any] {
    let sections = story.offerings.enumerated().map { OfferingSection(story: story, offering: $1, number: $0) }
    return [
      "job": story.job, "night": story.night, "asOf": story.cutoff, "currency": story.currency,
      "notes": story.notes.map { ["text": $0] }, "enrolment": story.enrolment ?? "",
      "expectation": story.offerings.compactMap(\.verdict.expectation).first ?? "",
      "style": PageStyle.css, "reading": story.readingAdvice,
      "decisions": sections.map(\.decision), "hasDecisions": !sections.isEmpty,
      "isUntrusted": story.offerings.contains(where: \.verdict.isUntrusted),
      "health": health(story), "sections": sections.map(\.details),
      "rows": FileRows.figure(of: story.files).context,
      "guide": Guide.sections.map(\.context),
    ]
  }

  private static func health(_ story: NightStory) -> [String: Any] {
    let health = story.health
    let named = health.byName
    // What the alert says stands there already.
    let said = story.offerings.compactMap(\.verdict.obstacle).joined(separator: "\n")
    return [
      "line": health.line, "freshness": health.freshness(cutoff: story.cutoff) ?? "",
      "failed": named.filter { $0.weight == .fail }.map { $0.without(said) }.map(checks),
      "others": named.filter { $0.weight != .fail }.map(checks),
      "status": named.first?.weight.rawValue ?? "pass",
    ]
  }

  /// A name with what its checks found; of many that passed the first sentences.
  private static func checks(_ named: Health.NamedChecks) -> [String: Any] {
    let shown = named.weight == .pass ? 3 : 12
    let rest = named.findings.count - shown
    return [
      "name": StoryWords.plain(named.name), "status": named.weight.rawValue,
      "findings": named.findings.prefix(shown).map { ["message": $0.message] },
      "rest": rest > 0 ? "\(Phrase.count(rest)) more in checks.csv." : "", "hasRest": rest > 0,
    ]
  }
}
