import Domain

/// What reading a job file must know of a check: how it is called, and from which share it warns or fails.
package struct CheckTerms: Sendable {
  /// As a job's `warn_levels:` and `questions:` name it.
  package let name: String
  /// What it finds, in a few words.
  package let meaning: String
  /// The share from which it warns; infinite where it never does unless a job asks for it.
  package let warnsFrom: Double?
  /// The share from which it fails.
  package let failsFrom: Double?

  package init(_ name: String, _ meaning: String, warnsFrom: Double? = nil, failsFrom: Double? = nil) {
    self.name = name
    self.meaning = meaning
    self.warnsFrom = warnsFrom
    self.failsFrom = failsFrom
  }

  /// The share that a job's `warn_levels:` may replace: that of a warning, of a check without one that of a failure;
  /// nil where the check judges no share.
  var usualLevel: Double? { warnsFrom ?? failsFrom }

  /// The share in force for a job; infinite of a check that judges no share.
  package func level(in job: Job) -> Double { job.warnLevels[name] ?? usualLevel ?? .infinity }
}

/// The checks a job file may name.
package struct CheckVocabulary: Sendable {
  package let all: [CheckTerms]

  package init(_ all: [CheckTerms]) {
    self.all = all
  }

  /// What is wrong with a name under `questions: checks:`; nil where there is such a check.
  func problem(name: String) -> String? {
    all.contains { $0.name == name } ? nil : Self.problem(name, among: all)
  }

  /// What is wrong with a name under `warn_levels:`; nil where there is such a check and it judges a share.
  func problem(levelOf name: String) -> String? {
    let judging = all.filter { $0.usualLevel != nil }
    if judging.contains(where: { $0.name == name }) { return nil }
    if problem(name: name) == nil { return "the check \(name) judges no share, so no level can be set." }
    return Self.problem(name, among: judging)
  }

  private static func problem(_ name: String, among checks: [CheckTerms]) -> String {
    "there is no check \"\(name)\"; \(hint(for: name, among: checks.map(\.name).sorted()))"
  }
}
