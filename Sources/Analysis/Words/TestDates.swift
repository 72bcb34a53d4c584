import Domain
import Foundation

/// Since when a test runs, and until when.
struct TestDates {
  /// The first day, in the job's timezone.
  let first: CivilDate
  /// Nights of data, tonight's among them.
  let nights: Int

  /// Nil where nobody is measured.
  init?(from: Instant?, asOf: Instant, timezone: TimeZone) {
    guard let from, from < asOf else { return nil }
    first = CivilDate(day: from.day(in: timezone))
    nights = Int(Instant(milliseconds: asOf.milliseconds - 1).day(in: timezone) - first.day) + 1
  }

  /// `Started 1 September 2026, 31 nights so far.`
  var sentence: String { "Started \(Phrase.day(first)), \(Phrase.count(nights, "night")) so far." }
}
