/// How a file writes times, in strptime's letters: `%d.%m.%Y %H:%M` reads `02.03.2026 10:15`.
///
/// Names of months and days are English; a number may lack its leading zero unless another number stands right
/// beside it. Source: POSIX.1-2024, `strptime`; `%f`, the fraction of a second, as in Python's `datetime.strptime`.
package struct TimeFormat: Sendable, Hashable {
  /// As the job file has it.
  package let text: String
  private var pieces: [Piece] = []

  fileprivate enum Piece: Sendable, Hashable {
    case letter(UInt8)
    /// Any number of blanks, none as well.
    case blanks
    case part(Part)
  }

  /// What a letter stands for.
  fileprivate enum Part: Sendable, Hashable {
    case year, yearOfCentury, month, monthName, day, dayOfYear, weekday
    case hour, hourOfHalf, half, minute, second, fraction, offset, zone, epoch
  }

  /// What keeps a format from telling times.
  package struct Problem: Error {
    package let words: String
  }

  /// Every letter, by what it stands for.
  private static let letters: [Character: Part] = [
    "Y": .year, "y": .yearOfCentury, "m": .month, "b": .monthName, "B": .monthName, "h": .monthName, "d": .day,
    "e": .day, "j": .dayOfYear, "a": .weekday, "A": .weekday, "H": .hour, "I": .hourOfHalf, "p": .half, "M": .minute,
    "S": .second, "f": .fraction, "z": .offset, "Z": .zone, "s": .epoch,
  ]
  /// Letters that stand for several.
  private static let groups: [Character: String] = ["F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "D": "%m/%d/%y"]

  /// - Throws: `Problem`, where a letter is not known, stands twice, or the letters do not tell a time.
  package init(_ text: String) throws(Problem) {
    self.text = text
    try append(text)
    try checkParts()
  }

  private mutating func append(_ text: String) throws(Problem) {
    var rest = text[...]
    while let letter = rest.popFirst() {
      if letter == "%" {
        guard let code = rest.popFirst() else { throw Problem(words: "ends with a %; write %% for the sign itself") }
        try append(code: code)
      } else if letter.isWhitespace {
        pieces.append(.blanks)
      } else {
        pieces += letter.utf8.map { .letter($0) }
      }
    }
  }

  private mutating func append(code: Character) throws(Problem) {
    if let part = Self.letters[code] {
      guard !pieces.contains(.part(part)) else { throw Problem(words: "tells by %\(code) what it tells already") }
      pieces.append(.part(part))
    } else if let group = Self.groups[code] {
      try append(group)
    } else if code == "%" {
      pieces.append(.letter(UInt8(ascii: "%")))
    } else if code == "n" || code == "t" {
      pieces.append(.blanks)
    } else {
      let known = (Array(Self.letters.keys) + Self.groups.keys).sorted().map { "%\($0)" }.joined(separator: " ")
      throw Problem(words: "has %\(code), which is none of \(known)")
    }
  }

  private func checkParts() throws(Problem) {
    let parts = Set(pieces.compactMap { piece -> Part? in if case .part(let part) = piece { part } else { nil } })
    if parts.contains(.epoch) {
      guard parts.isSubset(of: [.epoch, .fraction]) else {
        throw Problem(words: "has %s, which tells all of a time, beside other letters")
      }
      return
    }
    let years = parts.intersection([.year, .yearOfCentury]).count
    let days = parts.isSuperset(of: [.day]) && parts.intersection([.month, .monthName]).count == 1
    guard years == 1, days != parts.contains(.dayOfYear), days || parts.isDisjoint(with: [.month, .monthName, .day])
    else {
      throw Problem(words: "must tell the year (%Y), the month (%m) and the day (%d), each once")
    }
    guard parts.intersection([.hour, .hourOfHalf]).count < 2, parts.contains(.hourOfHalf) == parts.contains(.half)
    else {
      throw Problem(words: "must tell the hour by %H, or by %I with %p")
    }
    let clock: [(part: Part, needs: [Part])] = [
      (.minute, [.hour, .hourOfHalf]), (.second, [.minute]), (.fraction, [.second]),
    ]
    for (part, needs) in clock where parts.contains(part) && parts.isDisjoint(with: needs) {
      throw Problem(words: "tells a part of the clock without what it is a part of")
    }
    guard parts.intersection([.offset, .zone]).count < 2 else {
      throw Problem(words: "tells the zone by both %z and %Z")
    }
  }

  // MARK: - Reading

  /// What a text tells.
  package struct Reading {
    /// Milliseconds since 1970 as if the clocks showed UTC.
    package var local: Int64
    /// Milliseconds east of UTC; nil where the text does not tell.
    var offset: Int64?
  }

  /// Reads a text; nil where it is not written so, or tells a day or an hour that does not exist.
  package func read(_ text: UnsafeBufferPointer<UInt8>) -> Reading? {
    var reader = PartReader(text: text)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .letter(let letter): guard reader.take(letter) else { return nil }
      case .blanks: reader.skipBlanks()
      case .part(let part):
        guard reader.take(part, whole: isBesideNumber(index)) else { return nil }
      }
    }
    return reader.isAtEnd ? reader.reading : nil
  }

  /// Of numbers with nothing between them each needs all its digits.
  private func isBesideNumber(_ index: Int) -> Bool {
    [index - 1, index + 1].contains { pieces.indices.contains($0) && pieces[$0].isDigits }
  }
}

extension TimeFormat.Piece {
  fileprivate var isDigits: Bool {
    switch self {
    case .letter(let letter): letter &- UInt8(ascii: "0") <= 9
    case .blanks: false
    case .part(let part): ![.monthName, .weekday, .half, .offset, .zone].contains(part)
    }
  }
}

/// Takes a text apart, from its beginning to its end.
private struct PartReader {
  let text: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var year: Int64 = 1970
  private var month: Int64 = 1
  private var day: Int64 = 1
  private var dayOfYear: Int64?
  private var hour: Int64 = 0
  private var isAfternoon: Bool?
  private var minute: Int64 = 0
  private var second: Int64 = 0
  private var millisecond: Int64 = 0
  private var epoch: Int64?
  private var offset: Int64?

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { at == text.count }

  mutating func take(_ letter: UInt8) -> Bool {
    guard at < text.count, text[at] == letter else { return false }
    at += 1
    return true
  }

  mutating func skipBlanks() {
    while at < text.count, text[at] == UInt8(ascii: " ") || text[at] == UInt8(ascii: "\t") { at += 1 }
  }

  /// Takes one part; `whole` says that all its digits must be there, because another number stands beside it.
  mutating func take(_ part: TimeFormat.Part, whole: Bool) -> Bool {
    switch part {
    case .year: set(\.year, digits: 4, whole: true, 1...9999)
    case .yearOfCentury: takeYearOfCentury()
    case .month: set(\.month, digits: 2, whole: whole, 1...12)
    case .monthName: takeName(of: Self.months).map { month = Int64($0) + 1 } != nil
    case .day: set(\.day, digits: 2, whole: whole, 1...31)
    case .dayOfYear: takeDayOfYear(whole: whole)
    case .weekday: takeName(of: Self.weekdays) != nil
    case .hour: set(\.hour, digits: 2, whole: whole, 0...23)
    case .hourOfHalf: set(\.hour, digits: 2, whole: whole, 1...12)
    case .half: takeHalf()
    case .minute: set(\.minute, digits: 2, whole: whole, 0...59)
    case .second: set(\.second, digits: 2, whole: whole, 0...59)
    case .fraction: takeFraction()
    case .offset: takeOffset()
    case .zone: takeZone()
    case .epoch: takeEpoch()
    }
  }

  private mutating func set(
    _ member: WritableKeyPath<Self, Int64>, digits: Int, whole: Bool, _ range: ClosedRange<Int64>
  ) -> Bool {
    guard let number = takeNumber(whole ? digits...digits : 1...digits), range.contains(number) else { return false }
    self[keyPath: member] = number
    return true
  }

  private mutating func takeNumber(_ digits: ClosedRange<Int>) -> Int64? {
    let start = at
    var number: Int64 = 0
    while at < text.count, at - start < digits.upperBound, text[at] &- UInt8(ascii: "0") <= 9 {
      number = number * 10 + Int64(text[at] - UInt8(ascii: "0"))
      at += 1
    }
    return at - start >= digits.lowerBound ? number : nil
  }

  /// 69 to 99 are years of the last century, 00 to 68 of this one.
  private mutating func takeYearOfCentury() -> Bool {
    guard let number = takeNumber(2...2) else { return false }
    year = number + (number < 69 ? 2000 : 1900)
    return true
  }

  private mutating func takeDayOfYear(whole: Bool) -> Bool {
    dayOfYear = takeNumber(whole ? 3...3 : 1...3)
    return dayOfYear.map { $0 >= 1 } ?? false
  }

  /// The number of the name, in full or by its first three letters.
  private mutating func takeName(of names: [String]) -> Int? {
    for (number, name) in names.enumerated() {
      for spelling in [name.utf8.prefix(name.utf8.count), name.utf8.prefix(3)] where has(spelling) {
        at += spelling.count
        return number
      }
    }
    return nil
  }

  private func has(_ lowerCase: some Collection<UInt8>) -> Bool {
    text.count - at >= lowerCase.count && zip(text[at...], lowerCase).allSatisfy { $0 | 0x20 == $1 }
  }

  private mutating func takeHalf() -> Bool {
    guard has("am".utf8) || has("pm".utf8) else { return false }
    isAfternoon = has("pm".utf8)
    at += 2
    return true
  }

  /// Up to nine digits, of which those behind the third are cut off.
  private mutating func takeFraction() -> Bool {
    let start = at
    guard takeNumber(1...9) != nil else { return false }
    for (place, weight) in [100, 10, 1].enumerated() where start + place < at {
      millisecond += Int64(text[start + place] - UInt8(ascii: "0")) * Int64(weight)
    }
    return true
  }

  /// `Z`, `+02`, `+0200`, `+02:00`.
  private mutating func takeOffset() -> Bool {
    if has("z".utf8) {
      at += 1
      offset = 0
      return true
    }
    guard at < text.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(text[at]) else { return false }
    let sign: Int64 = text[at] == UInt8(ascii: "-") ? -1 : 1
    at += 1
    guard let hours = takeNumber(2...2), hours <= 23 else { return false }
    let hasColon = take(UInt8(ascii: ":"))
    guard let minutes = takeNumber(2...2) ?? (hasColon ? nil : 0), minutes <= 59 else { return false }
    offset = sign * (hours * 60 + minutes) * 60_000
    return true
  }

  /// Of names of zones only those of UTC tell one offset everywhere.
  private mutating func takeZone() -> Bool {
    for name in ["utc", "gmt", "z"] where has(name.utf8) {
      at += name.utf8.count
      offset = 0
      return true
    }
    return false
  }

  private mutating func takeEpoch() -> Bool {
    let isNegative = take(UInt8(ascii: "-"))
    guard let seconds = takeNumber(1...12) else { return false }
    epoch = isNegative ? -seconds : seconds
    return true
  }

  /// What was taken; nil where there is no such day.
  var reading: TimeFormat.Reading? {
    if let epoch {
      let instant = epoch * 1000 + (epoch < 0 ? -millisecond : millisecond)
      return (TimeText.earliest..<TimeText.latest).contains(instant) ? .init(local: instant, offset: 0) : nil
    }
    guard let date else { return nil }
    let hours = isAfternoon.map { hour % 12 + ($0 ? 12 : 0) } ?? hour
    let clock = ((hours * 60 + minute) * 60 + second) * 1000 + millisecond
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
