import Domain
import Engine

/// Which column of a stranger's table is what.
struct ColumnGuess {
  let sample: FileSample
  /// What whoever asked says that a field is called, by field.
  let reported: [String: String]
  /// Columns that are something already.
  private var accepted: Set<String> = []
  private(set) var found: [String: Guess<String>] = [:]

  private let ledger: ColumnCache

  init(_ sample: FileSample, reported: [String: String]) {
    self.sample = sample
    self.reported = reported
    ledger = ColumnCache(sample)
  }

  /// The columns that a job says, by field.
  init(_ sample: FileSample, bound: [String: String]) {
    self.init(sample, reported: [:])
    for (field, column) in bound { set(field, Guess(column, .certain, "by the job")) }
  }

  /// What the values of a column are.
  func values(_ column: String) -> ColumnValues { ledger.values(column) }

  /// The values of a column as numbers, row by row; nil where there is none.
  func numbers(_ column: String) -> [Double?] { ledger.numbers(column) }

  /// The column of a role, which no other role gets then; nil where none is.
  mutating func accept(_ role: ColumnRole) {
    guard found[role.field] == nil, let guess = find(role) else { return }
    set(role.field, guess)
  }

  mutating func set(_ field: String, _ guess: Guess<String>) {
    found[field] = guess
    accepted.insert(guess.value)
  }

  /// Gives a column back that turned out to be nothing.
  mutating func give(back field: String) {
    if let guess = found.removeValue(forKey: field) { accepted.remove(guess.value) }
  }

  /// Takes a guess for a role that has none.
  mutating func fill(_ role: ColumnRole, with guess: Guess<String>?) {
    if found[role.field] == nil, let guess { set(role.field, guess) }
  }

  /// Columns that are nothing yet.
  var free: [String] { sample.names.filter { !accepted.contains($0) && !$0.isEmpty } }

  /// A shorter name says nothing as a part of another one.
  private static let distinctiveLetters = 5

  private func find(_ role: ColumnRole) -> Guess<String>? {
    if let column = reported[role.field] {
      if column == DescribedColumns.none { return nil }
      if sample.names.contains(column) { return Guess(column, .certain, "as told") }
    }
    let fitting = free.filter { role.fits(values($0)) }
    guard let guess = named(role, among: fitting) else { return nil }
    return role.isTime ? instant(guess, role, among: fitting) : guess
  }

  private func named(_ role: ColumnRole, among fitting: [String]) -> Guess<String>? {
    if fitting.contains(role.field) { return Guess(role.field, .certain, "named so") }
    let all = fitting.map { (column: $0, name: ColumnName($0)) }
    let own = all.filter { $0.name.holds(role.ownWords) && !$0.name.holds(role.otherWords) }
    let plain = own.isEmpty ? all : own
    if own.count == 1, let only = own.first { return Guess(only.column, .certain, "by its name and its values") }
    for name in role.names {
      let matches = plain.filter { $0.name.plain == name }
      // Of members of one name the one in the fewest objects.
      guard let match = matches.min(by: { $0.name.parents.count < $1.name.parents.count }) else { continue }
      let others = plain.filter { $0.column != match.column && role.names.contains($0.name.plain) }.map(\.column)
      guard let other = others.first else {
        let isSure = !ColumnRole.freeTexts.contains(name)
        return Guess(match.column, isSure ? .certain : .likely, "by its name\(isSure ? " and its values" : "")")
      }
      return Guess(match.column, .likely, "by its name and its values; \"\(other)\" would do as well")
    }
    if role.endsWithName,
      let match = plain.first(where: { $0.name.words.last.map(role.names.contains) ?? false })
    {
      return Guess(match.column, .likely, "by the last word of its name and by its values")
    }
    for name in role.names where name.count >= Self.distinctiveLetters {
      let match = plain.first { $0.name.plain.contains(name) && !$0.name.holds(role.otherWords) }
      guard let match else { continue }
      return Guess(match.column, .likely, "by a part of its name and by its values")
    }
    return nil
  }

  /// Of a column of days and one of instants, both of which may be the time, the instants: a day does not tell what came
  /// first on it.
  private func instant(_ guess: Guess<String>, _ role: ColumnRole, among fitting: [String]) -> Guess<String> {
    guard values(guess.value).areDays else { return guess }
    let finer = fitting.filter { !values($0).areDays && !ColumnName($0).holds(role.otherWords) }
    guard let other = named(role, among: finer) else { return guess }
    return Guess(other.value, other.sureness, "\(other.why); \"\(guess.value)\" tells the day alone")
  }

  /// The one free column of which `isOne` is true of the values, whatever it is called.
  func onlyOne(_ what: String, _ isOne: (ColumnValues) -> Bool) -> Guess<String>? {
    let fitting = free.filter { isOne(values($0)) }
    return fitting.count == 1 ? Guess(fitting[0], .likely, what) : nil
  }
}
