/// When a test is to end, as its owner planned it: the key `plan`.
package struct PlannedTest: Sendable, Hashable {
  /// What ends it.
  package enum End: Sendable, Hashable {
    /// So many nights after the day of the offering's first assignment began.
    case nights(Int)
    /// So many measured users of all groups of an offering.
    case users(Int)
  }

  package var end: End

  package init(_ end: End) {
    self.end = end
  }

  /// As it is published: `28 nights`, `40000 users`.
  package var text: String {
    switch end {
    case .nights(let nights): "\(nights) nights"
    case .users(let users): "\(users) users"
    }
  }

  /// The most nights that a plan may have: two years.
  package static let mostNights = 731

  /// How many nights; nil of a plan that users end.
  package var nights: Int? {
    if case .nights(let nights) = end { nights } else { nil }
  }

  /// How many users; nil of a plan that nights end.
  package var users: Int? {
    if case .users(let users) = end { users } else { nil }
  }
}
