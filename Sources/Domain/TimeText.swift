import Foundation

/// Reads a log's times into instants.
///
/// Taken are RFC 3339 with up to nine fractional digits, `YYYY-MM-DD HH:MM:SS[.f]`, either with an offset as databases
/// write it (`Z`, `+00`, `+0530`, `+05:30`, `UTC`, `GMT`, with or without a blank before it), `YYYY-MM-DD`, and bare numbers
/// of seconds or of finer units since 1970. Fractions of a millisecond are cut off; a leap second, `:60`, is the last
/// millisecond before the next minute.
package struct TimeText {
  /// Why a text tells no time.
  package enum Fault: Error {
    case notATime
    /// The local time was skipped or repeated by a clock change.
    case ambiguous
    /// It is not written as the job's `time_format:` says.
    case notInFormat
    /// A number that is beyond the year 9999 in the job's unit, and the unit in which it is not; nil where none is.
    case tooLarge(TimeUnit?)
    /// A spreadsheet program wrote it, so that a part of it is lost.
    case spreadsheetTime
    /// It counts days since 1900, as a spreadsheet does: the local time that is, in milliseconds.
    case serialDate(Int64)
  }

  /// Which instant a day is that is told without a time.
  package enum Day: Sendable {
    /// Its first millisecond: who was assigned on a day was so before all that is told of the day.
    case begins
    /// Its last: what was bought on the day of the assignment counts.
    case ends
  }

  private let unit: TimeUnit
  private let day: Day
  /// What stands before a number's fraction.
  private let decimalSign: UInt8
  /// How the file writes times, where the job says so.
  private let format: TimeFormat?
  private var zone: LocalTime
  /// Times are in the spellings above, and not in one of the job's own.
  package let isInUsualFormat: Bool

  /// - Parameters:
  ///   - timezone: where a time without an offset is local.
  ///   - unit: what bare numbers count.
  ///   - decimalSign: what stands before a number's fraction.
  ///   - format: how the file writes times; nil for the spellings above.
  ///   - day: which instant a day without a time is.
  package init(
    timezone: TimeZone, unit: TimeUnit, decimalSign: UInt8 = UInt8(ascii: "."), format: TimeFormat? = nil,
    day: Day = .begins
  ) {
    self.unit = unit
    self.day = day
    self.decimalSign = decimalSign
    self.format = format
    isInUsualFormat = format == nil
    zone = LocalTime(timezone: timezone)
  }

  /// The latest instant there is: the end of the year 9999.
  package static let latest: Int64 = 253_402_300_800_000
  /// The earliest: the beginning of the year 1.
  package static let earliest: Int64 = -62_135_596_800_000

  /// The instant that a text tells, in milliseconds since 1970 in UTC.
  ///
  /// - Throws: why the text tells none.
  package mutating func parse(_ text: Span<UInt8>) throws(Fault) -> Int64 {
    if let format { return try parse(text, as: format) }
    guard text.count >= 10, text[4] == UInt8(ascii: "-") else { return try parseEpoch(text) }
    guard let day = Self.day(text) else { throw .notATime }
    if text.count == 10 { return instant(ofDay: day) }
    guard let clock = Self.clock(text) else { throw .notATime }
    var local = day * Instant.millisecondsPerDay + clock.milliseconds
    var at = 19
    let fraction = try Self.fraction(text, &at)
    local += clock.isLeapSecond ? -1 : fraction
    guard at < text.count else { return try zone.instant(local: local) }
    return local - (try Self.offset(text, at))
  }

  /// The instant that a day is for, in days since 1970.
  private mutating func instant(ofDay day: Int64) -> Int64 {
    self.day == .begins ? zone.startOfDay(day) : zone.startOfDay(day + 1) - 1
  }

  /// The instant at which clocks showed `local`, in milliseconds as if they showed UTC.
  ///
  /// - Throws: `ambiguous` where they showed it twice or never.
  package mutating func instant(local: Int64) throws(Fault) -> Int64 { try zone.instant(local: local) }

  private mutating func parse(
    _ text: Span<UInt8>, as format: TimeFormat
  ) throws(Fault) -> Int64 {
    guard let reading = format.read(text) else { throw .notInFormat }
    if reading.isDay { return instant(ofDay: reading.local.dividedRoundingDown(by: Instant.millisecondsPerDay)) }
    guard let offset = reading.offset else { return try zone.instant(local: reading.local) }
    return reading.local - offset
  }

  /// Days since 1970 of a text that is a date, `YYYY-MM-DD`, and nothing else; nil for any other.
  package static func day(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return bytes.count == 10 ? day(bytes.span) : nil
  }

  /// Days since 1970 of `YYYY-MM-DD` at the start of the text; nil where there is none.
  package static func day(_ text: Span<UInt8>) -> Int64? {
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

  /// Milliseconds into the day of `HH:MM:SS` at offset 11, behind a `T` or a blank; a leap second is the next minute.
  private static func clock(_ text: Span<UInt8>) -> (milliseconds: Int64, isLeapSecond: Bool)? {
    guard text.count >= 19, isDateTimeSeparator(text[10]),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let hour = two(text, 11), let minute = two(text, 14), let second = two(text, 17),
      hour <= 23, minute <= 59, second <= 60
    else { return nil }
    return (((hour * 60 + minute) * 60 + second) * 1000, second == 60)
  }

  private static func isDateTimeSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "t")
  }

  /// Milliseconds of a fraction of at most nine digits; moves `at` behind it.
  private static func fraction(_ text: Span<UInt8>, _ at: inout Int) throws(Fault) -> Int64 {
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

  /// Milliseconds east of UTC: `Z`, `+02`, `+0200`, `-05:30`, `UTC`, `GMT`, behind a blank or none.
  private static func offset(_ text: Span<UInt8>, _ at: Int) throws(Fault) -> Int64 {
    var cursor = TextCursor(text, from: at)
    _ = cursor.accept(UInt8(ascii: " "))
    if cursor.accept(word: "utc".utf8) || cursor.accept(word: "gmt".utf8) || cursor.accept(word: "z".utf8) {
      guard cursor.isAtEnd else { throw .notATime }
      return 0
    }
    guard let offset = cursor.scanOffset(), cursor.isAtEnd else { throw .notATime }
    return offset
  }

  /// Two digits as a number.
  private static func two(_ text: Span<UInt8>, _ at: Int) -> Int64? {
    let tens = text[at] &- UInt8(ascii: "0")
    let ones = text[at + 1] &- UInt8(ascii: "0")
    return tens <= 9 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
  }

  /// A bare number: an optional sign, digits, and a fraction whose finer part is cut off.
  private func parseEpoch(_ text: Span<UInt8>) throws(Fault) -> Int64 {
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    let number = text.extracting(droppingFirst: isNegative ? 1 : 0)
    let wholeDigits = Self.digits(number, from: 0)
    let hasFraction = wholeDigits < number.count && number[wholeDigits] == decimalSign
    let fractionDigits = hasFraction ? Self.digits(number, from: wholeDigits + 1) : 0
    guard wholeDigits > 0, hasFraction == (fractionDigits > 0),
      wholeDigits + (hasFraction ? 1 + fractionDigits : 0) == number.count
    else { throw Self.spreadsheetFault(of: number) }
    if !isNegative, wholeDigits == 5, let serial = SerialDate.likely(number) { throw .serialDate(serial) }
    guard let value = Self.milliseconds(number, wholeDigits, fractionDigits, unit) else {
      let finer = TimeUnit.allCases.first { other in
        other.digits > unit.digits && Self.milliseconds(number, wholeDigits, fractionDigits, other) != nil
      }
      throw .tooLarge(finer)
    }
    guard isNegative ? -value >= Self.earliest : value < Self.latest else { throw .tooLarge(nil) }
    return isNegative ? -value : value
  }

  /// The milliseconds that a number without its sign counts in a unit; nil where it is beyond the year 9999.
  private static func milliseconds(
    _ number: Span<UInt8>, _ wholeDigits: Int, _ fractionDigits: Int, _ unit: TimeUnit
  ) -> Int64? {
    let retained = wholeDigits + 3 - unit.digits
    guard retained <= 18 else { return nil }
    var value: Int64 = 0
    for position in 0..<max(0, retained) {
      let isFraction = position >= wholeDigits
      guard !isFraction || position - wholeDigits < fractionDigits else {
        value *= 10
        continue
      }
      value = value * 10 + Int64(number[isFraction ? position + 1 : position] &- 48)
    }
    return value < latest ? value : nil
  }

  /// A spreadsheet makes of a time `1,77245E+12`, or days since 1900 with a comma, `46083,4274`.
  private static func spreadsheetFault(of text: Span<UInt8>) -> Fault {
    if let serial = SerialDate.likely(text) { return .serialDate(serial) }
    let whole = digits(text, from: 0)
    guard whole > 0, whole < text.count, text[whole] == UInt8(ascii: ".") || text[whole] == UInt8(ascii: ",") else {
      return .notATime
    }
    let end = whole + 1 + digits(text, from: whole + 1)
    return end < text.count && text[end] | 0x20 == UInt8(ascii: "e") ? .spreadsheetTime : .notATime
  }

  /// How many digits stand from `start` on.
  private static func digits(_ text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] &- 48 <= 9 { end += 1 }
    return end - start
  }
}

extension TimeText.Fault {
  package var reason: SetAsideReason { self == .ambiguous ? .ambiguousTime : .badTime }

  /// What is wrong and what to do, to stand behind the time.
  package var words: String {
    switch self {
    case .notATime:
      "is not a time; write 2026-03-02T10:15:30Z, or say how it is written: time_format: \"%d.%m.%Y %H:%M\""
    case .ambiguous: "is a local time that a clock change skips or repeats; log an offset, 2026-03-02T10:15:30+01:00"
    case .notInFormat: "is not written as time_format: says"
    case .tooLarge(let unit?):
      "is beyond the year 9999; if it counts \(unit.rawValue), say time_unit: \(unit.rawValue)"
    case .tooLarge(nil): "is beyond the year 9999 in every time_unit: there is"
    case .serialDate(let time):
      "looks like a spreadsheet's count of days (\(Instant(milliseconds: time).rfc3339.dropLast())); say time_format: excel, or have the column as text before it is saved as CSV"
    case .spreadsheetTime:
      "is what a spreadsheet program made of a time; have the column as text, 2026-03-02 10:15:30, before it is saved as CSV"
    }
  }
}

extension TimeText.Fault: Equatable {}
