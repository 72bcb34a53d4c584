import Domain
import Foundation

extension Health {
  /// What the checks of one name came to.
  struct NamedChecks {
    let name: String
    /// The worst of them.
    let status: CheckFinding.Status
    /// Those with that status.
    let findings: [CheckFinding]

    /// Without the findings whose sentences a text holds.
    func without(_ text: String) -> Self {
      Self(name: name, status: status, findings: findings.filter { !text.contains($0.message) })
    }
  }

  /// One for each name: what failed, then what is to know, then what passed; each by name.
  var byName: [NamedChecks] {
    let named = Dictionary(grouping: checks, by: \.name).sorted { $0.key < $1.key }.map { name, checks in
      let worst = [.fail, .warn].first { status in checks.contains { $0.status == status } } ?? .pass
      return NamedChecks(name: name, status: worst, findings: checks.filter { $0.status == worst })
    }
    return [.fail, .warn, .pass].flatMap { status in named.filter { $0.status == status } }
  }

  /// `All 18 checks passed.`, `1 of 18 checks failed, 3 to know.`
  var line: String {
    let named = byName
    func count(_ status: CheckFinding.Status) -> Int { named.count { $0.status == status } }
    return Self.line(failed: count(.fail), toKnow: count(.warn), passed: count(.pass))
  }

  /// The line of so many checks by name: those that failed, those that warn, those that passed.
  static func line(failed: Int, toKnow: Int, passed: Int) -> String {
    let all = failed + toKnow + passed
    guard all > 0 else { return "No checks were made." }
    if failed > 0 {
      let rest = toKnow > 0 ? ", \(Phrase.count(toKnow)) to know" : ""
      return "\(Phrase.count(failed)) of \(Phrase.count(all, "check")) failed\(rest)."
    }
    let opening =
      toKnow > 0 ? "No check failed, \(Phrase.count(toKnow)) to know" : "All \(Phrase.count(all, "check")) passed"
    return opening + "."
  }

  /// `Data up to 30 April 2026, 22:01 UTC.`; nil where no check tells when the last event came.
  ///
  /// - Parameter cutoff: the night's, in RFC 3339.
  func freshness(cutoff: String) -> String? {
    let check = checks.first { $0.name == "freshness" && $0.subject == "last event" }
    return check.flatMap { Self.freshness(hours: $0.observed, cutoff: cutoff) }
  }

  /// The same of a last event so many hours before the cut-off.
  static func freshness(hours: Double?, cutoff: String) -> String? {
    guard let hours, let end = try? Instant(cutoff, timezone: .gmt) else { return nil }
    let last = Instant(milliseconds: end.milliseconds - Int64((hours * 3_600_000).rounded()))
    return "Data up to \(DayWords.minute(last)) UTC."
  }
}
