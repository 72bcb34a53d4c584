/// A length of the calendar as stores write it: `P1W`, `P1M`, `P14D`, `P1Y6M`. Source: ISO 8601, without times of day.
///
/// Months and years are as long as the calendar makes them where they begin; days are 86,400 seconds, weeks seven
/// days. Calendar months are added first.
package struct Period: Sendable, Hashable, BitwiseCopyable {
  /// A year is twelve.
  package var months: Int64 = 0
  package var days: Int64 = 0

  /// Nil for what is not `P` and at least one of years, months, weeks, days, in that order, each of one to five digits.
  package init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "P"), text.utf8.count > 1 else { return nil }
    var units = Substring("YMWD").utf8
    var digits = 0
    var count: Int64 = 0
    for byte in text.utf8.dropFirst() {
      if case let digit = byte &- UInt8(ascii: "0"), digit <= 9 {
        count = count * 10 + Int64(digit)
        digits += 1
        if digits > 5 { return nil }
      } else {
        guard digits > 0, let unit = units.firstIndex(of: byte) else { return nil }
        units = units[units.index(after: unit)...]
        add(count, byte)
        (digits, count) = (0, 0)
      }
    }
    guard digits == 0 else { return nil }
  }

  package init(months: Int64 = 0, days: Int64 = 0) {
    self.months = months
    self.days = days
  }

  private mutating func add(_ count: Int64, _ unit: UInt8) {
    switch unit {
    case UInt8(ascii: "Y"): months += 12 * count
    case UInt8(ascii: "M"): months += count
    case UInt8(ascii: "W"): days += 7 * count
    default: days += count
    }
  }

  /// No time at all.
  package var isEmpty: Bool { months == 0 && days == 0 }

  /// As stores write it, `P1W`, `P18M`, `P1Y`; days beside months stay days.
  package var iso8601: String {
    guard !isEmpty else { return "P0D" }
    let calendar = months == 0 ? "" : months.isMultiple(of: 12) ? "\(months / 12)Y" : "\(months)M"
    let rest = days == 0 ? "" : months == 0 && days.isMultiple(of: 7) ? "\(days / 7)W" : "\(days)D"
    return "P" + calendar + rest
  }

  /// The time one period after `start`, both in milliseconds since 1970, by the calendar of UTC.
  ///
  /// Where the month it ends in has no such day, its last: 31 January and a month is the 28th of February.
  package func end(from start: Int64) -> Int64 {
    let end = months == 0 ? start : Self.adding(months: months, to: start)
    return end + days * Instant.millisecondsPerDay
  }

  /// The instant one period after `start`.
  package func end(from start: Instant) -> Instant { Instant(milliseconds: end(from: start.milliseconds)) }

  private static func adding(months: Int64, to start: Int64) -> Int64 {
    let day = start.dividedRoundingDown(by: Instant.millisecondsPerDay)
    let date = CivilDate(day: day)
    let total = date.year * 12 + date.month - 1 + months
    let year = total.dividedRoundingDown(by: 12)
    let month = total - year * 12 + 1
    let last = CivilDate.daysInMonth(year: year, month: month)
    let end = CivilDate(year: year, month: month, dayOfMonth: min(date.dayOfMonth, last))
    return start + (end.day - day) * Instant.millisecondsPerDay
  }
}
