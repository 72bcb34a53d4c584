/// A guess as it is told to whoever asked, and written beside its line in the job file.
package struct Remark: Sendable {
  /// What was guessed: `user`, `times`.
  package let subject: String
  /// What it was guessed to be: `column "Customer"`.
  package let value: String
  /// How sure that is, and why.
  package let words: String
  package let sureness: Sureness

  init<Value>(_ subject: String, _ value: String, _ guess: Guess<Value>) {
    self.subject = subject
    self.value = value
    words = guess.words
    sureness = guess.sureness
  }

  /// `user: column "Customer" (certain: named so)`.
  package var line: String { "\(subject): \(value) (\(words))" }
}
