import Foundation

/// The date a run stands for: in the job's timezone, the last instant before the cut-off.
package enum Night {
  /// `2026-03-31` for a cut-off at the end of that day, or at any instant within it.
  package static func name(endingAt cutoff: Instant, timezone: TimeZone) -> String {
    CivilDate(day: Instant(milliseconds: cutoff.milliseconds - 1).day(in: timezone)).description
  }

  /// Whether a folder's name is a night's.
  package static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return false }
    return parts.joined().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension Instant {
  /// Days since 1970-01-01 by the clock of a timezone.
  package func day(in timezone: TimeZone) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(milliseconds.dividedRoundingDown(by: 1000)))
    return (milliseconds + Int64(timezone.secondsFromGMT(for: date)) * 1000)
      .dividedRoundingDown(by: Instant.millisecondsPerDay)
  }
}
