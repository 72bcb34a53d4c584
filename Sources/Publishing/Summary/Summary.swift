import Analysis
import Domain

/// Makes `summary.md` of a night's story: what to do, what it is worth, and whether to believe it, in ten lines for chat
/// and mail; the words are the report's.
enum Summary {
  static func text(of story: NightStory) -> String {
    let offerings =
      story.offerings.count > NightLine.wholeOfferings
      ? lines(of: story.offerings)
      : story.offerings.flatMap { said(of: $0, isOneOfMany: story.offerings.count > 1) }
    let lines =
      ["# \(Markdown.escape(story.job)), night of \(story.night)", ""]
      + (offerings.isEmpty ? ["No offering has users yet."] : offerings)
      + past(of: story) + ["- \(health(story))", "- The whole report: report.html"]
    let text = PrintableText.escapedLines(lines.joined(separator: "\n") + "\n")
    return IsolatedNames(story.names) { PrintableText.escaped(Markdown.escape($0)) }.isolated(inPlain: text)
  }

  /// A line each of many offerings, what failed and what is to be done first; the rest is counted.
  private static func lines(of offerings: [OfferingStory]) -> [String] {
    let ranked = offerings.map { (offering: $0, call: $0.verdict.foremost) }.enumerated()
      .sorted { ($0.element.call.rank, $0.offset) < ($1.element.call.rank, $1.offset) }
      .map(\.element)
    let shown = ranked.prefix(NightLine.shownOfferings).map {
      "- \(Markdown.escape($0.offering.offering.text)): \(headlines($0.offering.verdict))"
    }
    let rest = Dictionary(grouping: ranked.dropFirst(NightLine.shownOfferings), by: \.call).mapValues(\.count)
      .sorted { $0.key.rank < $1.key.rank }.map { "\(Phrase.count($0.value)) \($0.key.words)" }
    let more = ranked.count - shown.count
    return shown + (more > 0 ? ["- \(Phrase.count(more, "more offering")) in the report: \(Phrase.list(rest))."] : [])
  }

  /// Files that moved what the night before had shown, and how.
  private static func past(of story: NightStory) -> [String] {
    guard story.offerings.count <= NightLine.wholeOfferings else {
      return story.past.map { ["- \(Markdown.escape($0))"] } ?? []
    }
    let isOneOfMany = story.offerings.count > 1
    let moved = story.offerings.compactMap { offering -> String? in
      let sentences = offering.restatements.flatMap(\.sentences)
      let name = isOneOfMany ? "\(offering.offering.text): " : ""
      return sentences.isEmpty ? nil : "- \(Markdown.escape(name + sentences.joined(separator: " ")))"
    }
    let files = moved.isEmpty ? nil : FileChange.sentence(of: story.fileChanges)
    return [files.map { "- \(Markdown.escape($0))" }].compactMap(\.self) + moved
  }

  private static func headlines(_ verdict: Verdict) -> String {
    if let obstacle = verdict.obstacle {
      return verdict.isUntrusted ? "**Do not act on this:** \(Markdown.escape(obstacle))" : Markdown.escape(obstacle)
    }
    let rest = verdict.calls.dropFirst(shownCalls).reduce(0) { $0 + $1.groups.count }
    let said = verdict.calls.prefix(shownCalls).map { "**\(Markdown.escape($0.headline))**" }
    return (said + (rest > 0 ? ["\(Phrase.count(rest, "more group"))."] : [])).joined(separator: " ")
  }

  private static func said(of offering: OfferingStory, isOneOfMany: Bool) -> [String] {
    let name = isOneOfMany ? "\(Markdown.escape(offering.offering.text)): " : ""
    let users = offering.arrivals.map { "\(Markdown.escape($0.group.inWords)) \(Phrase.count($0.users))" }
    return said(offering.verdict).map { "- \(name)\($0)" }
      + (users.isEmpty ? [] : ["- \(name)Users: \(users.joined(separator: " · "))."])
  }

  /// The verdict's lines; of many groups those to act on come first, and the rest is counted.
  private static func said(_ verdict: Verdict) -> [String] {
    if let obstacle = verdict.obstacle {
      return [verdict.isUntrusted ? "**Do not act on this:** \(Markdown.escape(obstacle))" : Markdown.escape(obstacle)]
    }
    let calls = verdict.calls.prefix(shownCalls).map { call in
      ["**\(Markdown.escape(call.headline))**", Markdown.escape(call.reason)].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
    let rest = verdict.calls.dropFirst(shownCalls).reduce(0) { $0 + $1.groups.count }
    return calls + (rest > 0 ? ["\(Phrase.count(rest, "more group")) in the report."] : [])
      + [verdict.dates, verdict.note].compactMap { $0.map(Markdown.escape) }
  }

  /// So many calls stand in the summary.
  private static let shownCalls = 4

  private static func health(_ story: NightStory) -> String {
    let failed = story.health.byName.filter { $0.weight == .fail }.flatMap(\.findings)
      .map { " \(Markdown.escape($0.name)): \(Markdown.escape($0.message))" }
    let words = [story.health.line + failed.prefix(1).joined(), story.health.freshness(cutoff: story.cutoff)]
      .compactMap(\.self)
    return words.joined(separator: " ")
  }
}
