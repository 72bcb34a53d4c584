import Foundation

/// Reads a log's times into instants.
///
/// Taken are RFC 3339 with up to nine fractional digits, `YYYY-MM-DD HH:MM:SS[.f]`, `YYYY-MM-DD`, and bare
/// numbers of seconds or milliseconds since 1970. Fractions of a millisecond are cut off.
struct TimeText {
  enum Fault: Error {
    case notATime
    /// The local time was skipped or repeated by a clock change.
    case ambiguous
  }

  private let unit: TimeUnit
  private var zone: LocalTime

  init(timezone: TimeZone, unit: TimeUnit) {
    self.unit = unit
    zone = LocalTime(timezone: timezone)
  }

  /// The latest instant there is: the end of the year 9999.
  static let latest: Int64 = 253_402_300_800_000
  /// The earliest: the beginning of the year 1.
  static let earliest: Int64 = -62_135_596_800_000

  /// Milliseconds since 1970 in UTC.
  mutating func parse(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int64 {
    guard text.count >= 10, text[4] == UInt8(ascii: "-") else { return try parseEpoch(text) }
    guard let day = Self.day(text) else { throw .notATime }
    if text.count == 10 { return try zone.instant(local: day * Instant.millisecondsPerDay) }
    guard let clock = Self.clock(text) else { throw .notATime }
    let local = day * Instant.millisecondsPerDay + clock
    var at = 19
    let fraction = try Self.fraction(text, &at)
    guard at < text.count else { return try zone.instant(local: local + fraction) }
    return local + fraction - (try Self.offset(text, at))
  }

  /// Days since 1970 of `YYYY-MM-DD` at the start of the text.
  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let century = two(text, 0), let years = two(text, 2), let month = two(text, 5),
      let dayOfMonth = two(text, 8)
    else { return nil }
    let year = century * 100 + years
    guard year >= 1, (1...12).contains(month), dayOfMonth >= 1,
      dayOfMonth <= CivilDate.daysInMonth(year: year, month: month)
    else { return nil }
    return CivilDate(year: year, month: month, dayOfMonth: dayOfMonth).day
  }

  /// Milliseconds into the day of `HH:MM:SS` at offset 11, behind a `T` or a blank.
  private static func clock(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count >= 19, isDateTimeSeparator(text[10]),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let hour = two(text, 11), let minute = two(text, 14), let second = two(text, 17),
      hour <= 23, minute <= 59, second <= 59
    else { return nil }
    return ((hour * 60 + minute) * 60 + second) * 1000
  }

  private static func isDateTimeSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "t")
  }

  /// Milliseconds of a fraction of at most nine digits; moves `at` behind it.
  private static func fraction(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) throws(Fault) -> Int64 {
    guard at < text.count, text[at] == UInt8(ascii: ".") else { return 0 }
    at += 1
    let start = at
    var milliseconds: Int64 = 0
    while at < text.count, text[at] &- UInt8(ascii: "0") <= 9 {
      if at - start < 3 { milliseconds = milliseconds * 10 + Int64(text[at] - UInt8(ascii: "0")) }
      at += 1
    }
    let digits = at - start
    guard (1...9).contains(digits) else { throw .notATime }
    if digits < 3 { milliseconds *= digits == 1 ? 100 : 10 }
    return milliseconds
  }

  /// Milliseconds east of UTC: `Z`, `+02:00`, `-05:30`.
  private static func offset(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) throws(Fault) -> Int64 {
    let sign = text[at]
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z"), text.count == at + 1 { return 0 }
    guard text.count == at + 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      text[at + 3] == UInt8(ascii: ":"),
      let hours = two(text, at + 1), let minutes = two(text, at + 4), hours <= 23, minutes <= 59
    else { throw .notATime }
    let offset = (hours * 60 + minutes) * 60_000
    return sign == UInt8(ascii: "-") ? -offset : offset
  }

  /// Two digits as a number.
  private static func two(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int64? {
    let tens = text[at] &- UInt8(ascii: "0")
    let ones = text[at + 1] &- UInt8(ascii: "0")
    return tens <= 9 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
  }

  /// A bare number: an optional sign, digits, and a fraction whose finer part is cut off.
  private func parseEpoch(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int64 {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = UnsafeBufferPointer(rebasing: isNegative ? text.dropFirst() : text[...])
    let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...15).contains(whole.count), whole.allSatisfy({ $0 &- 48 <= 9 }),
      parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy({ $0 &- 48 <= 9 })
    else { throw .notATime }
    var value: Int64 = 0
    for byte in whole { value = value * 10 + Int64(byte &- 48) }
    if unit == .seconds {
      value *= 1000
      if parts.count == 2 {
        for (digit, weight) in zip(parts[1], [100, 10, 1] as [Int64]) { value += Int64(digit &- 48) * weight }
      }
    }
    value = isNegative ? -value : value
    guard value >= Self.earliest, value < Self.latest else { throw .notATime }
    return value
  }
}
