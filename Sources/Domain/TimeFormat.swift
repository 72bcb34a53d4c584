/// How a file writes times, in strptime's letters: `%d.%m.%Y %H:%M` reads `02.03.2026 10:15`.
///
/// Names of months and days are English; a number may lack its leading zero unless another number stands right
/// beside it. `%S` and `%s` take a fraction where there is one, so that `%S` and `%S.%f` read texts with and without.
/// `excel` reads days since 1900, `45992.5`. Source: POSIX.1-2024, `strptime`; `%f`, the fraction of a second, as in Python's `datetime.strptime`.
package struct TimeFormat: Sendable, Hashable {
  /// As the job file has it.
  package let text: String
  private var pieces: [Piece] = []
  /// A fraction may stand behind seconds.
  private var acceptsFractions = false
  /// It tells days alone.
  private var isOfDays = false

  fileprivate enum Piece: Sendable, Hashable {
    case letter(UInt8)
    /// Any number of blanks, none as well.
    case blanks
    case part(Part)
  }

  /// What a letter stands for.
  enum Part: Sendable, Hashable {
    case year, yearOfCentury, month, monthName, day, dayOfYear, weekday
    case hour, hourOfHalf, half, minute, second, fraction, offset, zone, epoch, serialDate
  }

  /// What keeps a format from telling times.
  package struct Problem: Error {
    package let words: String
    /// What would be right.
    package var letters = "%d.%m.%Y %H:%M:%S"
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
    guard text != Self.excel else {
      pieces = [.part(.serialDate)]
      return
    }
    if let letters = Self.letters(ofPattern: text) { throw Problem(words: "has no %", letters: letters) }
    try append(text)
    try checkParts()
    isOfDays = !pieces.contains { [.part(.hour), .part(.hourOfHalf), .part(.epoch)].contains($0) }
    settleFraction()
  }

  /// Leaves a fraction behind a point or a comma to the seconds before it, so that it may be absent.
  private mutating func settleFraction() {
    guard let seconds = pieces.firstIndex(where: { [.part(.second), .part(.epoch)].contains($0) }) else { return }
    let signs = [Piece.letter(UInt8(ascii: ".")), .letter(UInt8(ascii: ","))]
    let behind = pieces[(seconds + 1)...]
    guard let next = behind.first, signs.contains(next) else {
      acceptsFractions = !pieces.contains(.part(.fraction))
      return
    }
    guard behind.dropFirst().first == .part(.fraction) else { return }
    pieces.removeSubrange(seconds + 1...seconds + 2)
    acceptsFractions = true
  }

  /// The name of a spreadsheet's count of days.
  package static let excel = "excel"

  /// strptime's letters for a pattern as other programs have it, `dd.MM.yyyy HH:mm`; nil for what is none.
  private static func letters(ofPattern text: String) -> String? {
    guard !text.contains("%"), text.contains("yy") else { return nil }
    let words = [
      ("yyyy", "%Y"), ("yy", "%y"), ("MMM", "%b"), ("MM", "%m"), ("dd", "%d"), ("HH", "%H"), ("hh", "%I"),
      ("mm", "%M"), ("ss", "%S"), ("SSS", "%f"), ("a", "%p"),
    ]
    return words.reduce(text) { $0.replacing($1.0, with: $1.1) }
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
    /// The text tells a day and no time.
    var isDay = false
  }

  /// Reads a text; nil where it is not written so, or tells a day or an hour that does not exist.
  package func read(_ text: Span<UInt8>) -> Reading? {
    var cursor = TextCursor(text)
    var parts = TimeParts()
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .letter(let letter): guard cursor.accept(letter) else { return nil }
      case .blanks: cursor.skipBlanks()
      case .part(let part):
        guard parts.accept(part, from: &cursor, whole: isBesideNumber(index), fraction: acceptsFractions) else {
          return nil
        }
      }
    }
    guard cursor.isAtEnd, var reading = parts.reading else { return nil }
    if isOfDays { reading.isDay = true }
    return reading
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
