/// How the ids of assigned users and of purchases are written: where they are written differently nobody seems to have
/// bought anything.
package struct UserIDSpellings: Sendable {
  /// Charges before the cut-off, copies too.
  package var purchases = 0
  /// Those of users without an assignment.
  package var unassignedPurchases = 0
  /// Users with an assignment.
  package var assignedUsers = 0
  /// Some of the assigned users' ids.
  package var assigned: [[UInt8]] = []
  /// Some of the ids of purchases whose users have no assignment.
  package var unassigned: [[UInt8]] = []
  /// Of these the ones that an assigned id equals but for how it is written.
  package var lookalikes: [Lookalike] = []

  package init() {}

  /// A purchase's id and the assigned one that it equals but for how it is written.
  package struct Lookalike: Sendable {
    package var unassigned: [UInt8]
    package var assigned: [UInt8]
    package var difference: UserIDDifference

    package init(unassigned: [UInt8], assigned: [UInt8], difference: UserIDDifference) {
      self.unassigned = unassigned
      self.assigned = assigned
      self.difference = difference
    }
  }
}

/// In what two spellings of one user's id differ: the first of these that alone makes one of the other.
package enum UserIDDifference: Int, Sendable, CaseIterable {
  case blanks, letterCase, unicodeForm, invisible, exponent, rounding, prefix, decimals, zeros, marks
}
