/// What a file seems to say, how sure that is, and why.
package struct Guess<Value> {
  package let value: Value
  package let sureness: Sureness
  /// In a few words, to stand behind the sureness: `every value is one`.
  package let why: String

  package init(_ value: Value, _ sureness: Sureness, _ why: String) {
    self.value = value
    self.sureness = sureness
    self.why = why
  }

  /// `certain: every value is one`.
  package var words: String { "\(sureness.rawValue): \(why)" }
}

extension Guess: Sendable where Value: Sendable {}

/// How sure a guess is.
package enum Sureness: String, Sendable {
  case certain
  case likely
  case guess = "a guess"
}
