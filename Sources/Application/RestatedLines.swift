import Analysis
import Domain

/// What the terminal says of figures and calls that another version of the program moves.
enum RestatedLines {
  private static let shownOfferings = 5
  private static let shownFigures = 6

  /// A line an offering.
  static func lines(of rows: [RestatedRow]) -> [String] {
    let offerings = rows.reduce(into: [Identifier]()) { if $0.last != $1.key.offering { $0.append($1.key.offering) } }
    let lines = offerings.prefix(shownOfferings).compactMap { offering in
      line(of: rows.filter { $0.key.offering == offering })
    }
    let more = offerings.count - shownOfferings
    return lines + (more > 0 ? ["so it is with \(Phrase.count(more, "more offering")): restated.csv has them all"] : [])
  }

  private static func line(of rows: [RestatedRow]) -> String? {
    guard let first = rows.first else { return nil }
    var seen: Set<Identifier> = []
    let calls = rows.filter { seen.insert($0.key.group).inserted }.compactMap(call)
    let figures = rows.filter(\.isMoved).map(figure)
    let said = calls + figures.prefix(shownFigures)
    let more = figures.count - shownFigures
    let also = first.cause == .version ? "" : " (the job or its files are others, too)"
    return
      "\(first.key.offering.text): version \(first.restatedVersion ?? "") counts the night of \(first.previousNight) otherwise "
      + "than \(first.publishedVersion.map { "version \($0)" } ?? "an earlier version") did\(also): \(said.joined(separator: "; "))"
      + (more > 0 ? "; and \(Phrase.count(more, "more figure")) in restated.csv" : "")
  }

  /// `the call for b is keep, not ship`; nil where it is the same.
  private static func call(_ row: RestatedRow) -> String? {
    guard let published = row.publishedCall, let restated = row.restatedCall, published.call != restated.call else {
      return nil
    }
    return "the call for \(row.key.group.text) is \(restated.call.rawValue), not \(published.call.rawValue)"
  }

  /// `revenue_net_7d of b is 9.99, not 12.43 (-2.44)`.
  private static func figure(_ row: RestatedRow) -> String {
    func text(_ micros: Int128?) -> String {
      micros.map { Phrase.decimal(Double($0) / 1_000_000, decimals: 6) } ?? "nothing"
    }
    let difference = row.published.flatMap { published in row.restated.map { $0 - published } }
    let sign = (difference ?? 0) > 0 ? "+" : ""
    return "\(row.key.metric.text) of \(row.key.group.text) is \(text(row.restated)), not \(text(row.published))"
      + (difference == nil ? "" : " (\(sign)\(text(difference)))")
  }
}
