/// The parts of a time as a text tells them one by one, and the time they make.
struct TimeParts {
  private var year: Int64 = 1970
  private var month: Int64 = 1
  private var day: Int64 = 1
  private var dayOfYear: Int64?
  private var hour: Int64 = 0
  private var isAfternoon: Bool?
  private var minute: Int64 = 0
  private var second: Int64 = 0
  private var millisecond: Int64 = 0
  /// Seconds since 1970.
  private var epoch: Int64?
  /// Milliseconds east of UTC.
  private var offset: Int64?
  /// Local milliseconds since 1970, as a spreadsheet tells them.
  private var serialDate: Int64?
  /// It is a whole number: a day without a time.
  private var isSerialDay = false

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// Takes one part; false where something else stands there.
  ///
  /// - Parameters:
  ///   - whole: all its digits must be there, because another number stands beside it.
  ///   - fraction: a fraction may stand behind a second.
  mutating func accept(_ part: TimeFormat.Part, from text: inout TextCursor, whole: Bool, fraction: Bool) -> Bool {
    switch part {
    case .year: set(\.year, from: &text, digits: 4, whole: true, 1...9999)
    case .yearOfCentury: scanYearOfCentury(from: &text)
    case .month: set(\.month, from: &text, digits: 2, whole: whole, 1...12)
    case .monthName: scanMonth(from: &text)
    case .day: set(\.day, from: &text, digits: 2, whole: whole, 1...31)
    case .dayOfYear: scanDayOfYear(from: &text, whole: whole)
    case .weekday: Self.scanName(of: Self.weekdays, from: &text) != nil
    case .hour: set(\.hour, from: &text, digits: 2, whole: whole, 0...23)
    case .hourOfHalf: set(\.hour, from: &text, digits: 2, whole: whole, 1...12)
    case .half: scanHalf(from: &text)
    case .minute: set(\.minute, from: &text, digits: 2, whole: whole, 0...59)
    case .second:
      set(\.second, from: &text, digits: 2, whole: whole, 0...60) && (!fraction || passFraction(from: &text))
    case .fraction: scanFraction(from: &text)
    case .offset: scanOffset(from: &text)
    case .zone: scanZone(from: &text)
    case .epoch: scanEpoch(from: &text) && (!fraction || passFraction(from: &text))
    case .serialDate: scanSerialDate(from: &text)
    }
  }

  private mutating func set(
    _ member: WritableKeyPath<Self, Int64>, from text: inout TextCursor, digits: Int, whole: Bool,
    _ range: ClosedRange<Int64>
  ) -> Bool {
    guard let number = text.scanNumber(whole ? digits...digits : 1...digits), range.contains(number) else {
      return false
    }
    self[keyPath: member] = number
    return true
  }

  /// 69 to 99 are years of the last century, 00 to 68 of this one.
  private mutating func scanYearOfCentury(from text: inout TextCursor) -> Bool {
    guard let number = text.scanNumber(2...2) else { return false }
    year = number + (number < 69 ? 2000 : 1900)
    return true
  }

  private mutating func scanMonth(from text: inout TextCursor) -> Bool {
    guard let number = Self.scanName(of: Self.months, from: &text) else { return false }
    month = Int64(number) + 1
    return true
  }

  private mutating func scanDayOfYear(from text: inout TextCursor, whole: Bool) -> Bool {
    dayOfYear = text.scanNumber(whole ? 3...3 : 1...3)
    return dayOfYear.map { $0 >= 1 } ?? false
  }

  /// The number of the name that stands there in full or by its first three letters.
  private static func scanName(of names: [String], from text: inout TextCursor) -> Int? {
    for (number, name) in names.enumerated()
    where text.accept(word: name.utf8) || text.accept(word: name.utf8.prefix(3)) {
      return number
    }
    return nil
  }

  private mutating func scanHalf(from text: inout TextCursor) -> Bool {
    isAfternoon = text.accept(word: "pm".utf8)
    return isAfternoon == true || text.accept(word: "am".utf8)
  }

  private mutating func scanFraction(from text: inout TextCursor) -> Bool {
    guard let milliseconds = text.scanFraction() else { return false }
    millisecond = milliseconds
    return true
  }

  /// A fraction behind a point or a comma, where there is one.
  private mutating func passFraction(from text: inout TextCursor) -> Bool {
    guard text.isAtFraction else { return true }
    text.skip()
    return scanFraction(from: &text)
  }

  /// `Z`, `+02`, `+0200`, `+02:00`, `UTC`.
  private mutating func scanOffset(from text: inout TextCursor) -> Bool {
    if scanZone(from: &text) { return true }
    offset = text.scanOffset()
    return offset != nil
  }

  /// Of names of zones only those of UTC tell one offset everywhere.
  private mutating func scanZone(from text: inout TextCursor) -> Bool {
    offset = 0
    return text.accept(word: "utc".utf8) || text.accept(word: "gmt".utf8) || text.accept(word: "z".utf8)
  }

  private mutating func scanEpoch(from text: inout TextCursor) -> Bool {
    let isNegative = text.accept(UInt8(ascii: "-"))
    guard let seconds = text.scanNumber(1...12) else { return false }
    epoch = isNegative ? -seconds : seconds
    return true
  }

  private mutating func scanSerialDate(from text: inout TextCursor) -> Bool {
    serialDate = SerialDate.accept(from: &text)
    isSerialDay = !text.hasScanned(UInt8(ascii: ".")) && !text.hasScanned(UInt8(ascii: ","))
    return serialDate != nil
  }

  // MARK: - The time they make

  /// What was taken; nil where there is no such day.
  var reading: TimeFormat.Reading? {
    if let epoch {
      let instant = epoch * 1000 + (epoch < 0 ? -millisecond : millisecond)
      return (TimeText.earliest..<TimeText.latest).contains(instant) ? .init(local: instant, offset: 0) : nil
    }
    if let serialDate { return TimeFormat.Reading(local: serialDate, offset: nil, isDay: isSerialDay) }
    guard let date else { return nil }
    let hours = isAfternoon.map { hour % 12 + ($0 ? 12 : 0) } ?? hour
    let clock = ((hours * 60 + minute) * 60 + second) * 1000 + (second == 60 ? -1 : millisecond)
    return TimeFormat.Reading(local: date * Instant.millisecondsPerDay + clock, offset: offset)
  }

  /// Days since 1970.
  private var date: Int64? {
    if let dayOfYear {
      let first = CivilDate(year: year, month: 1, dayOfMonth: 1).day
      let days = CivilDate(year: year + 1, month: 1, dayOfMonth: 1).day - first
      return dayOfYear <= days ? first + dayOfYear - 1 : nil
    }
    guard day <= CivilDate.daysInMonth(year: year, month: month) else { return nil }
    return CivilDate(year: year, month: month, dayOfMonth: day).day
  }
}
