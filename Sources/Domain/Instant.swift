import Foundation

/// A moment in time, in whole milliseconds since 1970-01-01T00:00:00Z: the resolution of every comparison.
package struct Instant: Sendable, Hashable, Comparable {
  /// Milliseconds since the epoch; negative before it.
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// A constant that other rooms' compilers can see: they divide by it for every event.
  @inlinable package static var millisecondsPerDay: Int64 { 86_400_000 }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The number of the UTC day this instant lies in, counted from 1970-01-01.
  @inlinable package var utcDay: Int64 {
    milliseconds.dividedRoundingDown(by: Self.millisecondsPerDay)
  }

  /// RFC 3339 in UTC, with milliseconds only where there are any: `2026-03-31T23:59:59.999Z`.
  package var rfc3339: String {
    let date = CivilDate(day: utcDay)
    // The first day of all begins before the first instant.
    let day = Self.millisecondsPerDay
    let inDay = (milliseconds % day + day) % day
    let (seconds, fraction) = inDay.quotientAndRemainder(dividingBy: 1000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(2) }.joined(separator: ":")
    return "\(date)T\(clock)\(fraction == 0 ? "" : "." + fraction.padded(3))Z"
  }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable, CustomStringConvertible {
  package var year: Int64
  package var month: Int64
  package var dayOfMonth: Int64

  @inlinable package init(year: Int64, month: Int64, dayOfMonth: Int64) {
    self.year = year
    self.month = month
    self.dayOfMonth = dayOfMonth
  }

  /// The date that is `day` days after 1970-01-01.
  ///
  /// Counts in 400-year eras of 146,097 days that begin on 1 March, so that the leap day ends a year.
  /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  package init(day: Int64) {
    let shifted = day + 719_468
    let era = shifted.dividedRoundingDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01. Source: as `init(day:)`, days_from_civil.
  @inlinable package var day: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.dividedRoundingDown(by: 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// How many days the month has; the caller vouches for `month` in 1…12.
  @inlinable package static func daysInMonth(year: Int64, month: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// `YYYY-MM-DD`.
  package var description: String { "\(year.padded(4))-\(month.padded(2))-\(dayOfMonth.padded(2))" }
}

extension FixedWidthInteger {
  /// The quotient rounded towards negative infinity; `divisor` is positive.
  @inlinable
  package func dividedRoundingDown(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Decimal digits, filled up with zeros to at least `width`; for numbers that are not negative.
  package func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

extension Instant {
  /// The instant a job or the command line means: a time, or the beginning of a day in `timezone`.
  ///
  /// - Throws: `TimeText.Fault` where the text is neither.
  package init(_ text: String, timezone: TimeZone) throws {
    if text.utf8.count == 10 {
      guard let day = TimeText.day(text) else { throw TimeText.Fault.notATime }
      var zone = LocalTime(timezone: timezone)
      self.init(milliseconds: zone.startOfDay(day))
      return
    }
    var reader = TimeText(timezone: timezone, unit: .seconds)
    let bytes = Array(text.utf8)
    self.init(milliseconds: try reader.parse(bytes.span))
  }
}

extension CivilDate {
  /// The UTC day that ends at an instant, or at any within it.
  package init(endingAt instant: Instant) { self.init(day: Instant(milliseconds: instant.milliseconds - 1).utcDay) }
}
