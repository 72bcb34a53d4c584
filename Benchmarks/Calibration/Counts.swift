import Statistics

extension SufficientStatistics {
  /// The sums of users some of whom did a thing.
  static func share(_ successes: Int, of users: Int) -> SufficientStatistics {
    SufficientStatistics(n: Int128(users), sumY: Int128(successes), sumYY: Int128(successes))
  }
}

/// How many users join each group a night, as the page says it.
enum Sizes {
  /// `1000 : 50 : 50`.
  static func words(_ users: [Int]) -> String { users.map { "\($0)" }.joined(separator: " : ") }

  /// Groups that get as many as planned.
  static func weights(_ users: [Int]) -> [Double] { users.map(Double.init) }
}
