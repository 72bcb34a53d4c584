import Domain
import Foundation

extension Health {
  /// What the checks of one name came to.
  struct NamedChecks {
    let name: String
    /// The loudest of them.
    let weight: CheckFinding.Weight
    /// Those of that weight.
    let findings: [CheckFinding]

    /// Without the findings whose sentences a text holds.
    func without(_ text: String) -> Self {
      Self(name: name, weight: weight, findings: findings.filter { !text.contains($0.message) })
    }
  }

  /// One for each name: what failed, what warns, what is only to know, then what passed; each by name.
  var byName: [NamedChecks] {
    let named = Dictionary(grouping: checks, by: \.name).sorted { $0.key < $1.key }.map { name, checks in
      let loudest = CheckFinding.Weight.allCases.first { weight in checks.contains { $0.weight == weight } } ?? .pass
      return NamedChecks(name: name, weight: loudest, findings: checks.filter { $0.weight == loudest })
    }
    return CheckFinding.Weight.allCases.flatMap { weight in named.filter { $0.weight == weight } }
  }

  /// `All 18 checks passed.`, `1 of 18 checks failed, 3 to know.`
  var line: String { Self.line(Dictionary(grouping: byName, by: \.weight).mapValues(\.count)) }

  /// The line of so many checks by name of each weight.
  static func line(_ counts: [CheckFinding.Weight: Int]) -> String {
    let all = counts.values.reduce(0, +)
    guard all > 0 else { return "No checks were made." }
    let words: [(CheckFinding.Weight, String)] = [(.warn, "to look at"), (.remark, "to know")]
    let rest = words.map { weight, words in counts[weight].map { ", \(Phrase.count($0)) \(words)" } ?? "" }.joined()
    if let failed = counts[.fail] {
      return "\(Phrase.count(failed)) of \(Phrase.count(all, "check")) failed\(rest)."
    }
    return rest.isEmpty ? "All \(Phrase.count(all, "check")) passed." : "No check failed\(rest)."
  }

  /// `Data up to 30 April 2026, 22:01 UTC.`; nil where no check tells when the last event came.
  ///
  /// - Parameter cutoff: the night's, in RFC 3339.
  func freshness(cutoff: String) -> String? { Self.freshness(hours: hoursSinceLastEvent, cutoff: cutoff) }

  /// How long before the cut-off the last event came; nil where no check tells.
  var hoursSinceLastEvent: Double? {
    checks.first { $0.name == "freshness" && $0.subject == "last event" }?.observed
  }

  /// When the last event came; nil where no check tells.
  func lastEvent(cutoff: String) -> Instant? { Self.lastEvent(hours: hoursSinceLastEvent, cutoff: cutoff) }

  /// The sentence of a last event so many hours before the cut-off.
  static func freshness(hours: Double?, cutoff: String) -> String? {
    lastEvent(hours: hours, cutoff: cutoff).map { "Data up to \(DayWords.minute($0)) UTC." }
  }

  private static func lastEvent(hours: Double?, cutoff: String) -> Instant? {
    guard let hours, let end = try? Instant(cutoff, timezone: .gmt) else { return nil }
    return Instant(milliseconds: end.milliseconds - Int64((hours * 3_600_000).rounded()))
  }
}
