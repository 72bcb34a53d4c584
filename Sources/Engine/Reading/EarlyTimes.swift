import Domain

/// Rows with times before 2000: nobody bought anything in an app then, so their times were misread.
package struct EarlyTimes: Sendable {
  package private(set) var rows = 0
  /// Those whose number of seconds or milliseconds would be a day of this century as a spreadsheet counts days.
  package private(set) var serialDates = 0
  /// The earliest, in milliseconds since 1970.
  package private(set) var earliest = Int64.max

  /// The beginning of the year 2000, in milliseconds since 1970.
  package static let limit: Int64 = 946_684_800_000
  /// 2000-01-01 and 2100-01-01, counted in days from the end of 1899 as spreadsheets do.
  private static let serialDays: Range<Int64> = 36_526..<73_051

  @inline(__always)
  package mutating func look(at time: Int64) {
    if time < Self.limit { add(time) }
  }

  private mutating func add(_ time: Int64) {
    rows += 1
    earliest = min(earliest, time)
    if Self.serialDays.contains(time) || Self.serialDays.contains(time.dividedRoundingDown(by: 1000)) {
      serialDates += 1
    }
  }

  package mutating func merge(_ other: EarlyTimes) {
    rows += other.rows
    serialDates += other.serialDates
    earliest = min(earliest, other.earliest)
  }
}
