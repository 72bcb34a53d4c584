import Domain
import Engine

/// Which columns of the two tables name the same users.
///
/// A name says that a column names users; that its values stand in the other table says that it names the same ones. A
/// column of few values, a country or a device, has all of them in the other table, too, and names nobody.
struct UserColumns {
  let assignments: Guess<String>?
  let purchases: Guess<String>?
  /// What to ask where two pairs of columns are as likely as each other; nil where none is.
  private(set) var question: String?

  /// Pairs are as good as each other where they differ by less than this.
  private static let near = 0.1
  /// A pair leaves no other likely where it is better by this.
  private static let clear = 0.35

  /// - Parameters:
  ///   - assignments: the assignments' columns that are nothing else.
  ///   - purchases: the same of the purchases; nil where their format says itself who the user is.
  init(_ assignments: ColumnGuess?, _ purchases: ColumnGuess?) {
    let left = Self.candidates(assignments, isSide: true)
    let right = Self.candidates(purchases, isSide: false)
    let pairs = left.flatMap { one in right.map { Pair(one, $0) } }
    // Of pairs as good as each other the first named ones, in order of the columns.
    let ranked = pairs.enumerated().sorted {
      ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
    }.map(\.element)
    guard let best = ranked.first, best.share >= 0.05 || best.one.bonus > 0 && best.other.bonus > 0 else {
      self.assignments = Self.byName(left)
      self.purchases = Self.byName(right)
      return
    }
    let rival = ranked.dropFirst().first { pair in
      pair.share >= 0.3 && !pair.one.isReported && !pair.other.isReported
        && !(Self.areEqual(pair.one, best.one, assignments) && Self.areEqual(pair.other, best.other, purchases))
    }
    let lead = rival.map { best.score - $0.score } ?? 1
    let words = "\(Phrase.percent(best.share)) of the purchases' ids are among the assignments'"
    let doubt = rival.map { "; \"\($0.other.name)\" and \"\($0.one.name)\" meet, too" } ?? ""
    let sureness: Sureness =
      best.share < 0.05 ? .guess : best.share < 0.5 || lead < Self.clear ? .likely : .certain
    self.assignments = Guess(best.one.name, sureness, sureness == .certain ? words : words + doubt)
    self.purchases = Guess(best.other.name, sureness, sureness == .certain ? words : words + doubt)
    if let rival, lead < Self.near, best.isUnnamed {
      question = Self.question(best, rival, assignments?.sample.file ?? "", purchases?.sample.file ?? "")
    }
  }

  private struct Candidate {
    let name: String
    let sketch: ValueSketch
    /// For being called as columns of users are; less the further down the list of names.
    let bonus: Double
    let isReported: Bool
  }

  private struct Pair {
    let one: Candidate
    let other: Candidate
    /// Of the purchases' different ids those that the assignments have.
    let share: Double
    let score: Double

    init(_ one: Candidate, _ other: Candidate) {
      (self.one, self.other) = (one, other)
      share = other.sketch.share(in: one.sketch)
      let many = Double(other.sketch.shared(with: one.sketch))
      // Values that meet by chance are few: a thousand that do weigh as much as a good name.
      score = share + one.bonus + other.bonus + share * min(0.5, 0.5 * many / (many + 100))
    }

    /// Neither column is called as those of users are.
    var isUnnamed: Bool { one.bonus == 0 || other.bonus == 0 }
  }

  /// Two columns of a table say the same in every row: either names the users.
  private static func areEqual(_ one: Candidate, _ other: Candidate, _ columns: ColumnGuess?) -> Bool {
    one.name == other.name || columns.map { $0.sample.column(one.name) == $0.sample.column(other.name) } ?? false
  }

  private static func candidates(_ columns: ColumnGuess?, isSide isAssignments: Bool) -> [Candidate] {
    guard let columns else { return [] }
    let (sample, role) = (columns.sample, ColumnRole.user)
    if let reported = columns.reported[isAssignments ? "user" : "userId"] ?? columns.reported["user"]
      ?? columns.reported["userId"],
      sample.names.contains(reported)
    {
      return [Candidate(name: reported, sketch: sample.sketch(of: reported), bonus: 1, isReported: true)]
    }
    return columns.free.compactMap { name in
      let sketch = sample.sketch(of: name)
      let position = role.names.firstIndex(of: ColumnRole.plain(name))
      guard sketch.distinct > 0, role.fits(columns.values(name)),
        areMany(sketch, among: sample.filled(name), isAssignments, isNamed: position != nil)
      else { return nil }
      let bonus = position.map { 0.5 - 0.005 * Double($0) } ?? 0
      return Candidate(name: name, sketch: sketch, bonus: bonus, isReported: false)
    }
  }

  /// From so many values on a column tells users apart, however many rows each has.
  private static let manyValues = 300

  /// Whether a column has values enough to name users: of assignments one in ten rows has one of its own, and of purchases
  /// one in twenty, or it is called as such columns are.
  private static func areMany(
    _ sketch: ValueSketch, among rows: Int, _ isAssignments: Bool, isNamed: Bool
  ) -> Bool {
    sketch.distinct >= manyValues || sketch.distinct * (isAssignments ? 10 : 20) >= rows
      || isNamed && !isAssignments && sketch.distinct >= 10
  }

  private static func byName(_ candidates: [Candidate]) -> Guess<String>? {
    candidates.filter { $0.bonus > 0 }.max { $0.bonus < $1.bonus }.map { candidate in
      ["user", "userId"].contains(candidate.name)
        ? Guess(candidate.name, .certain, "named so") : Guess(candidate.name, .likely, "by its name")
    }
  }

  private static func question(_ best: Pair, _ rival: Pair, _ assignments: String, _ purchases: String) -> String {
    func words(_ pair: Pair) -> String {
      "\"\(pair.one.name)\" of \(assignments) and \"\(pair.other.name)\" of \(purchases)"
    }
    return
      "\(words(best)) have values in common, and \(words(rival)) as well. Which ones name the users? Type init again with "
      + "--column \(ShellText.word("user=\(best.one.name)")) --column \(ShellText.word("userId=\(best.other.name)")), or with "
      + "--column \(ShellText.word("user=\(rival.one.name)")) --column \(ShellText.word("userId=\(rival.other.name)"))."
  }
}
