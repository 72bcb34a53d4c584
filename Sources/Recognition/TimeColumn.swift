import Domain
import Engine

/// Which column of an unknown table holds the time, where no column's name says so.
enum TimeColumn {
  /// The first column of written times; where there is none, the first column of numbers that may be times.
  ///
  /// A written time (`05.11.2025 00:36`) cannot be anything else. A number of 5, 10 or 13 digits may be a day, a Unix time, or
  /// an order number. So a column of written times wins over one of numbers, wherever it stands.
  static func guess(_ role: ColumnRole, _ columns: ColumnGuess) -> Guess<String>? {
    let fitting = columns.free.filter { role.fits(columns.values($0)) }
    let all = fitting.filter { !columns.values($0).areNumbers }
    // What is called as if it were another time is one only where there is no other.
    let likely = all.filter { !ColumnName($0).holds(role.otherWords) }
    let written = likely.isEmpty ? all : likely
    if let first = written.first {
      return Guess(first, .guess, written.count == 1 ? "the only column of times" : severalWords)
    }
    let clocks = fitting.filter { !columns.values($0).countRows }
    return clocks.first.map { first in
      Guess(first, .guess, "\(clocks.count == 1 ? "the only" : "the first") column of numbers that may be times")
    }
  }
}

extension TimeColumn {
  /// Both say the same in each row, as far as they say it: the day of a time.
  private static func isSame(_ one: String, _ other: String, _ columns: ColumnGuess) -> Bool {
    let days = [one, other].contains { columns.values($0).areDays }
    return zip(columns.sample.column(one), columns.sample.column(other)).allSatisfy { one, other in
      days ? one?.prefix(10) == other?.prefix(10) : one == other
    }
  }

  /// Words of what users do beside coming into a test.
  private static let otherEvents: Set<String> = [
    "purchase", "purchased", "order", "ordered", "payment", "paid", "login", "visit", "subscribed", "subscription",
    "start",
    "activated", "activity", "active", "email", "experiment",
  ]

  private static let severalWords = "the first column of times"

  /// What to ask where several columns of times are as likely as each other; nil where one is the likeliest.
  static func question(_ role: ColumnRole, _ columns: ColumnGuess) -> String? {
    guard let guess = columns.found[role.field], columns.reported[role.field] != guess.value else { return nil }
    let name = ColumnName(guess.value)
    // When an account was made says less of when its user came into a test than a name that says just that.
    let isWeak =
      guess.sureness == .guess && guess.why == severalWords || !role.ownWords.isEmpty && guess.value != role.field
    guard isWeak else { return nil }
    let others = columns.free.filter { other in
      role.fits(columns.values(other)) && !columns.values(other).areNumbers
        && !ColumnName(other).holds(role.otherWords.union(role.ownWords.isEmpty ? [] : otherEvents))
        && !isSame(other, guess.value, columns)
        && (!name.holds(role.ownWords) || ColumnName(other).holds(role.ownWords))
    }
    guard !others.isEmpty else { return nil }
    let names = ([guess.value] + others).map { "\"\($0)\"" }
    return
      "\(columns.sample.file): \(Phrase.list(names)) are all times. Which one tells when it happened? Type init again with "
      + "--column \(ShellText.word("\(role.field)=\(guess.value)")), or another of them."
  }
}

extension Guess<TimeGuess> {
  /// The same for a column of numbers whose name does not say that they are times.
  ///
  /// - Parameter column: how its column was found.
  func doubted(by column: Guess<String>?) -> Guess<TimeGuess> {
    guard value.isNumber, column?.sureness == .guess else { return self }
    return Guess(value, .guess, "\(why), if they are times at all: the column's name does not say so")
  }
}
