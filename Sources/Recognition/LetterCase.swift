import Domain
import Engine
import Jobs

/// Whether assignments and purchases write the same ids in capital letters here and small ones there.
package struct LetterCase {
  /// The column of ids in each of the two files.
  private let columns: (assignments: String, purchases: String)
  private let example: (assignments: String, purchases: String)

  /// From this share of the purchases' ids on that are among the assignments' but for their letters, they are the same
  /// ids; from this share on that are so as they stand, nothing is amiss.
  private static let most = 0.5

  /// Nil where letters are not what keeps the two apart, or they would make one id of two.
  package init?(_ assignments: FileSample, _ table: TableInput, _ purchases: FileSample, _ log: PurchaseInput) {
    guard let left = assignments.bound(by: table, ["user"])["user"],
      let right = purchases.bound(by: log.table, ["userId"])["userId"]
    else { return nil }
    let (users, buyers) = (Set(assignments.values(of: left)), Set(purchases.values(of: right)))
    let lowered = Dictionary(users.map { ($0.lowercased(), $0) }, uniquingKeysWith: { one, _ in one })
    let found = buyers.filter { lowered[$0.lowercased()] != nil }
    let share = Double(found.count) / Double(max(buyers.count, 1))
    let asTheyStand = Double(buyers.intersection(users).count) / Double(max(buyers.count, 1))
    guard share >= Self.most, asTheyStand < Self.most, lowered.count == users.count,
      let first = found.subtracting(users).min(), let user = lowered[first.lowercased()]
    else { return nil }
    columns = (left, right)
    example = (user, first)
  }

  /// Adds to the two files' remedies that of each whose ids have capital letters.
  package func mend(_ assignments: inout FileRemedies, _ purchases: inout FileRemedies) {
    mend(&assignments, columns.assignments)
    mend(&purchases, columns.purchases)
  }

  private func mend(_ remedies: inout FileRemedies, _ column: String) {
    guard remedies.sample.values(of: column).contains(where: { $0 != $0.lowercased() }) else { return }
    remedies.lower(
      column,
      because:
        "The same ids are \"\(shape(example.assignments))\" in the assignments and \"\(shape(example.purchases))\" in the "
        + "purchases, and are taken for different users. If letters make no difference, write those of "
        + "\(remedies.sample.file) small:")
  }

  private func shape(_ id: String) -> String { UserIDShape.shape(Array(id.utf8)) }
}
