import Domain

/// A time as nearly every log writes it, `2026-03-02T10:15:30Z` or `2026-03-02 10:15:30.250`, read eight bytes at a time.
///
/// Two such times a row took 2 % of a run's processor time byte by byte. Any other spelling, and what tells no time, is
/// left to `TimeText.parse`, which answers the same of these.
struct QuickTime {
  /// What the clocks showed, in milliseconds since 1970.
  let local: Int64
  /// They were those of UTC.
  let isUTC: Bool

  /// Nil where the text is not written so.
  @inline(__always)
  init?(_ text: Text) {
    let count = text.count
    guard count >= 19, count <= 24, let start = UnsafeRawPointer(text.unsafeBytes.baseAddress),
      Self.separates(text.unsafeBytes[10]), let century = Self.pair(start),
      let date = Triple(start + 2, separator: UInt8(ascii: "-")),
      let clock = Triple(start + 11, separator: UInt8(ascii: ":")),
      let day = Self.day(year: century &* 100 &+ date.first, month: date.second, date.third),
      clock.first <= 23, clock.second <= 59, clock.third <= 59
    else { return nil }
    let isUTC = count & 3 == 0
    if isUTC, text.unsafeBytes[count &- 1] | 0x20 != UInt8(ascii: "z") { return nil }
    guard let fraction = Self.fraction(start + 19, count: count &- (isUTC ? 20 : 19)) else { return nil }
    let seconds = (clock.first &* 60 &+ clock.second) &* 60 &+ clock.third
    local = day &* Instant.millisecondsPerDay &+ seconds &* 1000 &+ fraction
    self.isUTC = isUTC
  }

  @inline(__always)
  private static func separates(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "t") || byte == UInt8(ascii: " ") }

  /// Days since 1970 of a date; nil where there is no such day.
  @inline(__always)
  private static func day(year: Int64, month: Int64, _ dayOfMonth: Int64) -> Int64? {
    guard month >= 1, month <= 12, dayOfMonth >= 1 else { return nil }
    let position = Int((year &- firstYear) &* 12 &+ month &- 1)
    guard position >= 0, position &+ 1 < monthStarts.count else {
      return dayOfAnyYear(year: year, month: month, dayOfMonth)
    }
    let day = Int64(monthStarts[position]) &+ dayOfMonth &- 1
    return day < monthStarts[position &+ 1] ? day : nil
  }

  private static let firstYear: Int64 = 1970
  /// Of each month of the years that logs are of, and of the one after them, the first day, in days since 1970.
  private static let monthStarts: [Int32] = (Int64(0)...130 * 12).map { month -> Int32 in
    let first = CivilDate(year: firstYear + month / 12, month: month % 12 + 1, dayOfMonth: 1)
    return Int32(first.day)
  }

  private static func dayOfAnyYear(year: Int64, month: Int64, _ dayOfMonth: Int64) -> Int64? {
    guard year >= 1,
      dayOfMonth <= CivilDate.daysInMonth(year: year, month: month)
    else { return nil }
    return CivilDate(year: year, month: month, dayOfMonth: dayOfMonth).day
  }

  /// Three numbers of two digits, one byte between them.
  private struct Triple {
    let first: Int64
    let second: Int64
    let third: Int64

    @inline(__always)
    init?(_ start: UnsafeRawPointer, separator: UInt8) {
      let between = UInt64(separator) << 16 | UInt64(separator) << 40
      let digits = start.loadUnaligned(as: UInt64.self).littleEndian ^ (0x3030_0030_3000_3030 | between)
      guard QuickTime.areDigits(digits), digits & 0x0000_ff00_00ff_0000 == 0 else { return nil }
      // In the place of each first digit: ten times it and the second.
      let numbers = digits &* 10 &+ digits >> 8
      first = Int64(numbers & 0xff)
      second = Int64(numbers >> 24 & 0xff)
      third = Int64(numbers >> 48 & 0xff)
    }
  }

  /// Every byte is 0 to 9.
  @inline(__always)
  private static func areDigits(_ bytes: UInt64) -> Bool {
    let tooLarge = (bytes &+ 0x7676_7676_7676_7676) | bytes
    return tooLarge & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private static func pair(_ start: UnsafeRawPointer) -> Int64? {
    let tens = start.load(as: UInt8.self) &- 0x30
    let ones = start.load(fromByteOffset: 1, as: UInt8.self) &- 0x30
    return tens <= 9 && ones <= 9 ? Int64(tens) &* 10 &+ Int64(ones) : nil
  }

  /// Milliseconds of `.250`, or of nothing; nil for anything else.
  @inline(__always)
  private static func fraction(_ start: UnsafeRawPointer, count: Int) -> Int64? {
    if count == 0 { return 0 }
    guard count == 4 else { return nil }
    let digits = UInt64(start.loadUnaligned(as: UInt32.self).littleEndian) ^ 0x3030_302e
    guard areDigits(digits), digits & 0xff == 0 else { return nil }
    let tenths = Int64(digits >> 8 & 0xff)
    let hundredths = Int64(digits >> 16 & 0xff)
    let thousandths = Int64(digits >> 24)
    return tenths &* 100 &+ hundredths &* 10 &+ thousandths
  }
}
