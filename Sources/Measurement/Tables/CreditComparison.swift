/// What the server says is left of a group's users' credits, held against what a `credits_balance` counts.
package struct CreditComparison: Sendable, Codable, Hashable {
  /// Users of whom the server said it.
  package var users = 0
  /// Of them those whose account is as the test found it: its first answer is the credits everybody begins with.
  package var compared = 0
  /// Of those compared the ones of whom the last answer is another number.
  package var differing = 0
  /// The largest difference, whichever of the two is greater.
  package var largest: Int64 = 0

  package init(users: Int = 0, compared: Int = 0, differing: Int = 0, largest: Int64 = 0) {
    self.users = users
    self.compared = compared
    self.differing = differing
    self.largest = largest
  }

  package mutating func add(_ other: CreditComparison) {
    users += other.users
    compared += other.compared
    differing += other.differing
    largest = max(largest, other.largest)
  }
}
