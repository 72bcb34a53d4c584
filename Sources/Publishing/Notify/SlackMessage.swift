import Domain

/// A message of Slack, for `chat.postMessage` and incoming webhooks.
///
/// Every text is `plain_text` without emoji, so that no name is markup, a mention or a link. Source: docs.slack.dev,
/// "Block Kit": at most 50 blocks, 150 characters in a header and 3,000 in a section; messages of more than some 13,000
/// characters are refused as too long.
struct SlackMessage {
  let notice: NightNotice

  private static let mostBlocks = 50
  private static let headerLength = 150
  private static let sectionLength = 3_000
  private static let messageLength = 10_000

  var json: JSON {
    [
      // What notifications and screen readers say; it is the one text that is not a block's, so its markup is escaped.
      "text": .text(Self.escaped(notice.plain(notice.title, limit: Self.sectionLength))), "mrkdwn": false,
      "blocks": .list(blocks),
    ]
  }

  private var blocks: [JSON] {
    let head = ["type": "header", "text": text(notice.title, Self.headerLength)] as JSON
    let warnings = notice.warnings.prefix(8).map(section)
    let footer = notice.footer.map(section)
    var (said, length) = ([JSON](), 0)
    let room = Self.mostBlocks - 2 - warnings.count - footer.count
    for line in notice.lines {
      let words = "\(line.offering): \(line.headline) \(line.reason)"
      length += words.utf16.count
      if said.count == room || length > Self.messageLength { break }
      said.append(section(words))
    }
    let rest = notice.lines.count - said.count
    let more = rest > 0 ? [section("\(Phrase.count(rest, "more group")) in the report.")] : []
    return [head] + warnings + said + more + footer
  }

  private func section(_ words: String) -> JSON { ["type": "section", "text": text(words, Self.sectionLength)] }

  private func text(_ words: String, _ limit: Int) -> JSON {
    ["type": "plain_text", "text": .text(notice.plain(words, limit: limit)), "emoji": false]
  }

  /// The three characters that begin or end what Slack reads in a text.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
