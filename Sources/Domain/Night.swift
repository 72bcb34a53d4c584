import Foundation

/// The date a run stands for: in the job's timezone, the last instant before the cut-off.
package enum Night {
  /// `2026-03-31` for a cut-off at the end of that day, or at any instant within it.
  package static func name(endingAt cutoff: Instant, timezone: TimeZone) -> String {
    let last = cutoff.milliseconds - 1
    let date = Date(timeIntervalSince1970: Double(last.dividedRoundingDown(by: 1000)))
    let local = last + Int64(timezone.secondsFromGMT(for: date)) * 1000
    return CivilDate(day: local.dividedRoundingDown(by: Instant.millisecondsPerDay)).description
  }

  /// Whether a folder's name is a night's.
  package static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return false }
    return parts.joined().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
