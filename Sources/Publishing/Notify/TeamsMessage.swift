import Domain

/// A message of Microsoft Teams with an Adaptive Card, for a workflow's webhook.
///
/// Every text is a `TextRun`, which knows no Markdown, so that no name is markup or a link; mentions need entities, and there are
/// none. Source: learn.microsoft.com, "Cards in Teams": version 1.5; messages of more than 28 KB are refused, and some
/// of less, so that it stays well below.
struct TeamsMessage {
  let notice: NightNotice

  private static let cardBytes = 18_000

  var json: JSON {
    let card: JSON = [
      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.5",
      "fallbackText": .text(notice.plain(notice.title)), "msteams": ["width": "Full"], "body": .list(body),
    ]
    return [
      "type": "message",
      "attachments": [
        ["contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": .null, "content": card]
      ],
    ]
  }

  private var body: [JSON] {
    let head = block([run(notice.title, ["weight": "Bolder", "size": "Large"])])
    let warnings = notice.warnings.prefix(8).map { block([run($0, ["color": "Attention"])]) }
    let footer = notice.footer.map { block([run($0, ["isSubtle": true])]) }
    let fixed = ([head] + warnings + footer).reduce(0) { $0 + $1.line.utf8.count }
    var (said, bytes) = ([JSON](), fixed)
    for line in notice.lines {
      let words = block([run("\(line.offering): \(line.headline)", ["weight": "Bolder"]), run(" \(line.reason)", [:])])
      bytes += words.line.utf8.count
      if bytes > Self.cardBytes { break }
      said.append(words)
    }
    let rest = notice.lines.count - said.count
    let more = rest > 0 ? [block([run("\(Phrase.count(rest, "more group")) in the report.", [:])])] : []
    return [head] + warnings + said + more + footer
  }

  private func block(_ runs: [JSON]) -> JSON { ["type": "RichTextBlock", "inlines": .list(runs)] }

  /// A text, and how it looks. Two braces would begin a function of the card's dates.
  private func run(_ words: String, _ looks: KeyValuePairs<String, JSON>) -> JSON {
    let text = notice.plain(words).replacing("{{", with: "{ {")
    let members = [JSON.Member("type", "TextRun"), JSON.Member("text", .text(text))]
    return .object(members + looks.map { JSON.Member($0.key, $0.value) })
  }
}
