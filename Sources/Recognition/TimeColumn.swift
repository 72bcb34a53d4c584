import Engine

/// Which column of a stranger's table tells when, where no column's name says so.
enum TimeColumn {
  /// The first column of written times; where there is none, the first of numbers that may count a clock.
  ///
  /// Any number may be a time, as order numbers of five, ten or thirteen digits show, and a written time is nothing
  /// else: `05.11.2025 00:36` beats `45966` wherever it stands.
  static func guess(_ role: ColumnRole, _ columns: ColumnGuess) -> Guess<String>? {
    let fitting = columns.free.filter { role.fits(columns.sample.values(of: $0)) }
    let written = fitting.filter { !ColumnValues(columns.sample.values(of: $0)).areNumbers }
    if let first = written.first {
      return Guess(first, .guess, written.count == 1 ? "the only column of times" : "the first column of times")
    }
    let clocks = fitting.filter { !ColumnValues(columns.sample.values(of: $0)).countRows }
    return clocks.first.map { first in
      Guess(first, .guess, "\(clocks.count == 1 ? "the only" : "the first") column of numbers that may be times")
    }
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
