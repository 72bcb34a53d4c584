import Measurement

/// How many of a group's users stand where at the cut-off.
struct StateTally: Tally {
  /// Users by state's number; who never did anything need not be counted.
  private(set) var users = [Int](repeating: 0, count: UserState.allCases.count)

  static let parts = [TallyPart<Self>("states", \.users, count: { _ in UserState.allCases.count })]

  mutating func add(_ user: UserHistory) { users[UserState(of: user).rawValue] += 1 }

  /// Users by state's number: all who were not counted never did anything.
  func users(of measured: Int) -> [Int] {
    var all = users
    all[UserState.never.rawValue] += measured - users.reduce(0, +)
    return all
  }
}
