import Analysis
import Domain

/// Makes `summary.md` of a night's story: what to do, what it is worth, and whether to believe it, in ten lines for chat
/// and mail; the words are the report's.
enum Summary {
  static func text(of story: NightStory) -> String {
    let offerings = story.offerings.flatMap { said(of: $0, isOneOfMany: story.offerings.count > 1) }
    let lines =
      ["# \(Markdown.escape(story.job)), night of \(story.night)", ""]
      + (offerings.isEmpty ? ["No offering has users yet."] : offerings)
      + ["- \(health(story))", "- The whole report: report.html"]
    return PrintableText.escapedLines(lines.joined(separator: "\n") + "\n")
  }

  private static func said(of offering: OfferingStory, isOneOfMany: Bool) -> [String] {
    let name = isOneOfMany ? "\(Markdown.escape(offering.offering.text)): " : ""
    let users = offering.arrivals.map { "\(Markdown.escape($0.group.text)) \(Phrase.count($0.users))" }
    return said(offering.verdict).map { "- \(name)\($0)" }
      + (users.isEmpty ? [] : ["- \(name)Users: \(users.joined(separator: " · "))."])
  }

  /// The verdict's lines; of many groups those to act on come first, and the rest is counted.
  private static func said(_ verdict: Verdict) -> [String] {
    if let obstacle = verdict.obstacle {
      return [verdict.isUntrusted ? "**Do not act on this:** \(Markdown.escape(obstacle))" : Markdown.escape(obstacle)]
    }
    let calls = verdict.groups.prefix(shownGroups).map { group in
      let worth = group.decision == .better ? group.worth.map { " \($0)" } ?? "" : ""
      return "**\(Markdown.escape(group.call))** \(Markdown.escape(group.reason + worth))"
    }
    let rest = verdict.groups.count - calls.count
    return calls + (rest > 0 ? ["\(Phrase.count(rest, "more group")) in the report."] : [])
      + [verdict.note.map(Markdown.escape)].compactMap(\.self)
  }

  /// So many groups' calls stand in the summary.
  private static let shownGroups = 4

  private static func health(_ story: NightStory) -> String {
    let failed = story.health.byName.filter { $0.weight == .fail }.flatMap(\.findings)
      .map { " \(Markdown.escape($0.name)): \(Markdown.escape($0.message))" }
    let words = [story.health.line + failed.prefix(1).joined(), story.health.freshness(cutoff: story.cutoff)]
      .compactMap(\.self)
    return words.joined(separator: " ")
  }
}
