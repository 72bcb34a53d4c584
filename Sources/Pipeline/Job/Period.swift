/// A length of the calendar as stores write it: `P1W`, `P1M`, `P14D`. Source: ISO 8601, one unit alone.
///
/// A month or year is as long as the calendar makes it where it begins; days are 86,400 seconds.
struct Period: Sendable, Hashable {
  var count: Int64
  var unit: Unit

  enum Unit: UInt8, Sendable { case day = 68, week = 87, month = 77, year = 89 }

  /// Nil for what is not `P`, one to five digits, and one of `D`, `W`, `M`, `Y`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (3...7).contains(bytes.count), bytes.first == UInt8(ascii: "P"), let last = bytes.last,
      let unit = Unit(rawValue: last)
    else { return nil }
    let digits = bytes.dropFirst().dropLast()
    guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
    self.init(digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }, unit)
  }

  init(_ count: Int64, _ unit: Unit) {
    self.count = count
    self.unit = unit
  }

  /// The time one period after `start`, both in milliseconds since 1970, by the calendar of UTC.
  ///
  /// Where the month it ends in has no such day, its last: 31 January and a month is the 28th of February.
  func end(from start: Int64) -> Int64 {
    switch unit {
    case .day: start + count * Instant.millisecondsPerDay
    case .week: start + count * 7 * Instant.millisecondsPerDay
    case .month: Self.adding(months: count, to: start)
    case .year: Self.adding(months: count * 12, to: start)
    }
  }

  /// The instant one period after `start`.
  func end(from start: Instant) -> Instant { Instant(milliseconds: end(from: start.milliseconds)) }

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
