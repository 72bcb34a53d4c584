import Analysis
import Domain
import Mustache

/// Makes the pages of a night's story, which fetch nothing: `report.html`, and of many offerings a page each beside it.
enum Report {
  /// More offerings have a page each; the first page has a line of each then.
  static let mostOnOnePage = 12

  /// The pages of a story, each made when it is asked for, on whichever thread.
  ///
  /// - Throws: `OfferliftError` 70 where a template cannot be used.
  static func pages(of story: NightStory) throws -> ReportPages {
    guard story.offerings.count > mostOnOnePage else {
      return ReportPages(count: 1) { _ in (NightFiles.report, try html(of: story)) }
    }
    let paths = OfferingPaths(story.offerings.map(\.offering))
    let template = try PageTemplate.offeringPage.parsed()
    let frame = [
      "job": story.job, "night": story.night, "cutoff": cutoff(story), "currency": story.currency,
      "enrolment": story.enrolment ?? "", "style": PageStyle.css, "firstPage": OfferingPaths.firstPage,
      "methodsPage": OfferingPaths.firstPage,
      "health": story.health.line, "status": status(story.health),
    ]
    return ReportPages(count: story.offerings.count + 1) { position in
      guard position > 0 else { return (NightFiles.report, try firstPage(of: story, paths)) }
      let offering = story.offerings[position - 1]
      let own = page(of: offering, number: position - 1, in: story)
      let html = try template.render((frame as [String: Any]).merging(own) { $1 })
      return (paths[position - 1], IsolatedNames(offering.names).isolated(in: html))
    }
  }

  /// The whole page of a night with few offerings.
  ///
  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  static func html(of story: NightStory) throws -> String {
    let sections = story.offerings.enumerated().map { OfferingSection(story: story, offering: $1, number: $0) }
    let own: [String: Any] = [
      "decisions": sections.map { $0.decision() }, "hasDecisions": !sections.isEmpty,
      "sections": sections.map(\.details),
    ]
    let page = try PageTemplate.report.render(frame(story).merging(own) { $1 })
    return IsolatedNames(story.names).isolated(in: page)
  }

  /// A line an offering, what failed and what is to be done first.
  private static func firstPage(of story: NightStory, _ paths: OfferingPaths) throws -> String {
    let ranked = story.offerings.enumerated().map { (number: $0, offering: $1, call: $1.verdict.foremost) }
      .sorted { ($0.call.rank, $0.number) < ($1.call.rank, $1.number) }
    let lines = ranked.map { number, offering, call in
      [
        "number": number, "offering": offering.offering.text, "page": paths[number], "kind": call.rawValue,
        "call": offering.verdict.line,
      ] as [String: Any]
    }
    let past = story.past
    let own: [String: Any] = [
      "lines": lines, "counts": counts(of: ranked.map(\.call)), "past": past ?? "", "hasPast": past != nil,
    ]
    let page = try PageTemplate.reportOfMany.render(frame(story).merging(own) { $1 })
    return IsolatedNames(story.offerings.flatMap { [$0.offering.text] + $0.groups.map(\.text) }).isolated(in: page)
  }

  /// `1,000 offerings: 3 do not trust, 12 ship, 985 wait.`, in the order of the lines.
  private static func counts(of calls: [Call]) -> String {
    let counts = Dictionary(grouping: calls) { $0 }.mapValues(\.count).sorted { $0.key.rank < $1.key.rank }
      .map { "\(Phrase.count($0.value)) \($0.key.words)" }
    return "\(Phrase.count(calls.count, "offering")): \(Phrase.list(counts))."
  }

  /// What one offering's page says of it.
  private static func page(of offering: OfferingStory, number: Int, in story: NightStory) -> [String: Any] {
    let section = OfferingSection(story: story, offering: offering, number: number)
    return [
      "offering": offering.offering.text, "expectation": offering.verdict.expectation ?? "",
      "isExpected": offering.verdict.expectation != nil,
      "decision": section.decision(guide: OfferingPaths.firstPage), "section": section.details,
    ]
  }

  /// `2 October 2026, 00:00`, in UTC.
  private static func cutoff(_ story: NightStory) -> String {
    (try? Instant(story.cutoff, timezone: .gmt)).map(DayWords.minute) ?? story.cutoff
  }

  /// What stands around the offerings.
  private static func frame(_ story: NightStory) -> [String: Any] {
    let expectation = story.offerings.lazy.compactMap(\.verdict.expectation).first
    return [
      "job": story.job, "night": story.night, "cutoff": cutoff(story), "currency": story.currency,
      "notes": story.notes.map { ["text": $0] }, "enrolment": story.enrolment ?? "",
      "expectation": expectation ?? "", "isExpected": expectation != nil,
      "style": PageStyle.css, "reading": story.readingAdvice,
      "isUntrusted": story.offerings.contains(where: \.verdict.isUntrusted), "health": health(story),
      "rows": FileRows.figure(of: story.files).context, "guide": Guide.sections.map(\.context),
      "methods": Method.allCases.map(\.context), "methodsPage": "",
    ]
  }

  private static func health(_ story: NightStory) -> [String: Any] {
    let health = story.health
    let named = health.byName
    // What the alert says stands there already.
    let said = Set(story.offerings.compactMap(\.verdict.obstacle)).sorted().joined(separator: "\n")
    return [
      "line": health.line, "freshness": health.freshness(cutoff: story.cutoff) ?? "",
      "failed": named.filter { $0.weight == .fail }.map { $0.without(said) }.map(checks),
      "others": named.filter { $0.weight != .fail }.map(checks),
      "status": status(health),
    ]
  }

  private static func status(_ health: Health) -> String { health.byName.first?.weight.rawValue ?? "pass" }

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
