import Domain
import Engine

/// Which column of a stranger's table tells when, where no column's name says so.
enum TimeColumn {
  /// The first column of written times; where there is none, the first of numbers that may count a clock.
  ///
  /// Any number may be a time, as order numbers of five, ten or thirteen digits show, and a written time is nothing
  /// else: `05.11.2025 00:36` beats `45966` wherever it stands.
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
  private static let severalWords = "the first column of times"

  /// What to ask where several columns of times are as likely as each other; nil where one is the likeliest.
  static func question(_ role: ColumnRole, _ columns: ColumnGuess) -> String? {
    guard let guess = columns.found[role.field], guess.sureness == .guess, guess.why == severalWords else { return nil }
    let others = columns.free.filter { name in
      role.fits(columns.values(name)) && !columns.values(name).areNumbers && !ColumnName(name).holds(role.otherWords)
        && columns.sample.column(name) != columns.sample.column(guess.value)
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
