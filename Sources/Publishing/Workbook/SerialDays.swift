import Domain
import Foundation

/// Days and instants as spreadsheets count them: days since 1899-12-30, hours as parts of a day.
struct SerialDays {
  private static let unixEpoch = 25_569.0
  /// Earlier serial days are another date in Excel than elsewhere: it has a 29 February 1900.
  private static let firstSure = 61.0

  /// Times come in runs of the same one.
  private var last: (text: String, serial: String?)?

  /// The serial day in digits; nil of a text that is no time, or one that spreadsheets disagree about.
  ///
  ///     2026-03-31            → 46112
  ///     2026-04-01T12:00:00Z  → 46113.5
  mutating func serial(of text: String) -> String? {
    if let last, last.text == text { return last.serial }
    let serial = (try? Instant(text, timezone: .gmt)).flatMap { instant in
      let day = Double(instant.milliseconds) / Double(Instant.millisecondsPerDay) + Self.unixEpoch
      return day >= Self.firstSure ? NumberText.real(day) : nil
    }
    last = (text, serial)
    return serial
  }
}
