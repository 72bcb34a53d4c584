/// A length of time as ISO 8601 writes it, in one unit: `P3D`, `P1W`, `P1M`, `P1Y`.
struct CalendarPeriod: Sendable, Hashable {
  private var days: Int64 = 0
  private var months: Int64 = 0

  /// Nil for what is not such a length.
  init?(_ text: String) {
    guard text.first == "P", let unit = text.last, let count = Int64(text.dropFirst().dropLast()),
      (1...1000).contains(count)
    else { return nil }
    switch unit {
    case "D": days = count
    case "W": days = 7 * count
    case "M": months = count
    case "Y": months = 12 * count
    default: return nil
    }
  }

  /// The instant this much later in UTC; the day is the month's last where the month has no such day.
  ///
  ///     CalendarPeriod("P1M")!.after(january31)  // February 28
  func after(_ time: Instant) -> Instant {
    let inDay = time.milliseconds - time.utcDay * Instant.millisecondsPerDay
    var date = CivilDate(day: time.utcDay)
    let month = date.year * 12 + date.month - 1 + months
    date.year = month.dividedRoundingDown(by: 12)
    date.month = month - date.year * 12 + 1
    date.dayOfMonth = min(date.dayOfMonth, CivilDate.daysInMonth(year: date.year, month: date.month))
    return Instant(milliseconds: (date.day + days) * Instant.millisecondsPerDay + inDay)
  }
}
