/// What reading a job file must know of a rule that tests are decided by.
package struct DecisionTerms: Sendable {
  /// As a job's `decide_by:` names it.
  package let name: String
  /// When its figures hold, in a few words.
  package let meaning: String

  package init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

/// The rules a job file may name, and the one that decides where it names none.
package struct DecisionVocabulary: Sendable {
  /// The rule of a test whose end is planned, which decides where a job has a plan and names no rule.
  package static let planned = "planned"
  /// The rule of a test with a plan that is decided at a few looks.
  package static let groupSequential = "group_sequential"

  let usual: DecisionTerms
  let all: [DecisionTerms]

  package init(usual: DecisionTerms, _ others: [DecisionTerms]) {
    self.usual = usual
    all = [usual] + others
  }

  /// The words of the key `decide_by`.
  var meaning: String { all.map { "`\($0.name)`: \($0.meaning)" }.joined(separator: ". ") }
}
