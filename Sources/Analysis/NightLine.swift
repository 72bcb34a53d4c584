import Domain

/// What a night says to do, in a line: the last one of a run.
package enum NightLine {
  /// Up to so many offerings are told in full; of more each has its calls alone.
  package static let wholeOfferings = 2
  /// Of more offerings so many are told, what failed and what is to be done first; the rest is counted.
  package static let shownOfferings = 12

  /// The verdicts of all offerings, by id, without the night's name.
  package static func text(of verdicts: [OfferingVerdict]) -> String {
    guard !verdicts.isEmpty else { return "no offering has users yet." }
    guard verdicts.count > wholeOfferings else {
      return verdicts.map { "\($0.offering): \($0.sentence)" }.joined(separator: " ")
    }
    let ranked = verdicts.enumerated()
      .sorted { ($0.element.foremost.rank, $0.offset) < ($1.element.foremost.rank, $1.offset) }.map(\.element)
    let said = ranked.prefix(shownOfferings).map { "\($0.offering): \($0.headline)" }
    let rest = ranked.count - said.count
    return (said + (rest > 0 ? ["\(Phrase.count(rest, "more offering")) in the report."] : [])).joined(separator: " ")
  }
}
