import Domain
import Engine

/// Which column of a stranger's table is what.
struct ColumnGuess {
  let sample: FileSample
  /// What whoever asked says that a field is called, by field.
  let told: [String: String]
  /// Columns that are something already.
  private var taken: Set<String> = []
  private(set) var found: [String: Guess<String>] = [:]

  init(_ sample: FileSample, told: [String: String]) {
    self.sample = sample
    self.told = told
  }

  /// The column of a role, which no other role gets then; nil where none is.
  mutating func take(_ role: ColumnRole) {
    guard let guess = find(role) else { return }
    set(role.field, guess)
  }

  mutating func set(_ field: String, _ guess: Guess<String>) {
    found[field] = guess
    taken.insert(guess.value)
  }

  /// Takes a guess for a role that has none.
  mutating func fill(_ role: ColumnRole, with guess: Guess<String>?) {
    if found[role.field] == nil, let guess { set(role.field, guess) }
  }

  /// Columns that are nothing yet.
  var free: [String] { sample.names.filter { !taken.contains($0) && !$0.isEmpty } }

  /// A shorter name says nothing as a part of another one.
  private static let tellingLetters = 5

  private func find(_ role: ColumnRole) -> Guess<String>? {
    if let column = told[role.field], sample.names.contains(column) { return Guess(column, .certain, "as told") }
    let fitting = free.filter { role.fits(sample.values(of: $0)) }
    if fitting.contains(role.field) { return Guess(role.field, .certain, "named so") }
    let plain = fitting.map { (column: $0, name: ColumnRole.plain($0)) }
    for name in role.names {
      guard let match = plain.first(where: { $0.name == name }) else { continue }
      let others = plain.filter { $0.column != match.column && role.names.contains($0.name) }.map(\.column)
      guard let other = others.first else {
        let isSure = !ColumnRole.freeTexts.contains(name)
        return Guess(match.column, isSure ? .certain : .likely, "by its name\(isSure ? " and its values" : "")")
      }
      return Guess(match.column, .likely, "by its name and its values; \"\(other)\" would do as well")
    }
    for name in role.names where name.count >= Self.tellingLetters {
      guard let match = plain.first(where: { $0.name.contains(name) }) else { continue }
      return Guess(match.column, .likely, "by a part of its name and by its values")
    }
    return nil
  }

  /// The one free column of which `isOne` is true of the values, whatever it is called.
  func onlyOne(_ what: String, _ isOne: ([String]) -> Bool) -> Guess<String>? {
    let fitting = free.filter { isOne(sample.values(of: $0)) }
    return fitting.count == 1 ? Guess(fitting[0], .likely, what) : nil
  }
}
