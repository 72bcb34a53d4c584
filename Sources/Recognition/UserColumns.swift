import Domain
import Engine

/// Which columns of the two tables name the same users.
///
/// A name says that a column names users; that its values stand in the other table says that it names the same ones.
struct UserColumns {
  let assignments: Guess<String>?
  let purchases: Guess<String>?

  /// How many rows of each table are looked at.
  private static let rowLimit = 5000

  /// - Parameters:
  ///   - assignments: the assignments' columns that are nothing else.
  ///   - purchases: the same of the purchases; nil where their format says itself who the user is.
  init(_ assignments: ColumnGuess?, _ purchases: ColumnGuess?) {
    let left = Self.candidates(assignments)
    let right = Self.candidates(purchases)
    let pairs = left.flatMap { one in right.map { (one, $0, Self.share(of: $0.values, in: one.values)) } }
    // Of pairs as good as each other the first named ones, in order of the columns.
    let best = pairs.enumerated().max {
      ($0.element.2 + $0.element.0.bonus + $0.element.1.bonus, -$0.offset)
        < ($1.element.2 + $1.element.0.bonus + $1.element.1.bonus, -$1.offset)
    }?.element
    guard let (one, other, share) = best, share >= 0.05 || one.bonus > 0 && other.bonus > 0 else {
      self.assignments = Self.byName(left)
      self.purchases = Self.byName(right)
      return
    }
    let sureness: Sureness = share >= 0.5 ? .certain : share >= 0.05 ? .likely : .guess
    let words = "\(Phrase.percent(share)) of the purchases' ids looked at are among the assignments'"
    self.assignments = Guess(one.name, sureness, words)
    self.purchases = Guess(other.name, sureness, words)
  }

  private struct Candidate {
    let name: String
    let values: Set<String>
    /// For being called as columns of users are; less the further down the list of names.
    let bonus: Double
  }

  private static func candidates(_ columns: ColumnGuess?) -> [Candidate] {
    guard let columns else { return [] }
    let role = ColumnRole.user
    if let told = columns.told["user"] ?? columns.told["userId"], columns.sample.names.contains(told) {
      return [Candidate(name: told, values: Set(columns.sample.values(of: told)), bonus: 1)]
    }
    return columns.free.compactMap { name in
      let values = columns.sample.values(of: name).prefix(rowLimit)
      guard role.fits(Array(values)), !values.isEmpty else { return nil }
      let place = role.names.firstIndex(of: ColumnRole.plain(name))
      return Candidate(name: name, values: Set(values), bonus: place.map { 0.5 - 0.005 * Double($0) } ?? 0)
    }
  }

  private static func share(of right: Set<String>, in left: Set<String>) -> Double {
    Double(right.count { left.contains($0) }) / Double(max(right.count, 1))
  }

  private static func byName(_ candidates: [Candidate]) -> Guess<String>? {
    candidates.filter { $0.bonus > 0 }.max { $0.bonus < $1.bonus }.map { candidate in
      ["user", "userId"].contains(candidate.name)
        ? Guess(candidate.name, .certain, "named so") : Guess(candidate.name, .likely, "by its name")
    }
  }
}
