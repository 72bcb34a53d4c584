import Domain
import Foundation

/// Which nights a run is for, as the command line says it.
package enum NightChoice: Sendable {
  /// The night that ends at an instant.
  case asOf(String)
  /// The night of one day.
  case date(String)
  /// The nights of every day from the first to the last.
  case days(from: String, to: String)
  /// The last whole day before this moment.
  case yesterday(now: Date)

  /// The end of each night, in order.
  ///
  /// - Throws: `OfferliftError`, exit 64, where a date or time cannot be read.
  package func cutoffs(timezone: TimeZone) throws -> [Instant] {
    var zone = LocalTime(timezone: timezone)
    switch self {
    case .asOf(let text):
      do {
        return [try Instant(text, timezone: timezone)]
      } catch {
        throw OfferliftError(.usage, "--as-of \"\(text)\" is not a time; write 2026-04-01T00:00:00Z.")
      }
    case .date(let text):
      return [Instant(milliseconds: zone.startOfDay(try Self.day(text, "--date") + 1))]
    case .days(let from, let to):
      let (first, last) = (try Self.day(from, "--from"), try Self.day(to, "--to"))
      guard first <= last else { throw OfferliftError(.usage, "--from \(from) is after --to \(to); swap them.") }
      return (first...last).map { Instant(milliseconds: zone.startOfDay($0 + 1)) }
    case .yesterday(let now):
      return [Instant(milliseconds: zone.startOfDay(Self.day(of: now, timezone)))]
    }
  }

  /// The end of each night, where none lies behind the end of this day: a night to come would become the latest one.
  ///
  /// - Parameter now: this moment; nil takes any night.
  /// - Throws: `OfferliftError`, exit 64, as `cutoffs(timezone:)`, and where a night is still to come.
  package func cutoffs(timezone: TimeZone, upTo now: Date?) throws -> [Instant] {
    let nights = try cutoffs(timezone: timezone)
    guard let now, let last = nights.last else { return nights }
    var zone = LocalTime(timezone: timezone)
    let today = Self.day(of: now, timezone)
    guard last.milliseconds > zone.startOfDay(today + 1) else { return nights }
    throw OfferliftError(
      .usage,
      "\(words) is still to come: in \(timezone == .gmt ? "UTC" : timezone.identifier) it is \(CivilDate(day: today)). Name a night up to then, or "
        + "take it all the same with --allow-future.")
  }

  /// As the command line has it.
  private var words: String {
    switch self {
    case .asOf(let text): "--as-of \(text)"
    case .date(let text): "--date \(text)"
    case .days(_, let to): "--to \(to)"
    case .yesterday: "the last whole day"
    }
  }

  /// The day, since 1970-01-01, that it is in a time zone.
  private static func day(of now: Date, _ timezone: TimeZone) -> Int64 {
    let seconds = Int64(now.timeIntervalSince1970.rounded(.down)) + Int64(timezone.secondsFromGMT(for: now))
    return seconds.dividedRoundingDown(by: 86_400)
  }

  private static func day(_ text: String, _ option: String) throws -> Int64 {
    guard let day = TimeText.day(text) else {
      throw OfferliftError(.usage, "\(option) \"\(text)\" is not a date; write 2026-03-31.")
    }
    return day
  }
}
