import Domain
import Recognition

/// What a check of a job found.
package struct CheckReport: Sendable {
  /// The job file.
  let path: String
  /// What was looked at, and what is worth knowing of it.
  package internal(set) var findings: [String] = []
  /// What is worth knowing, and stands in nobody's way.
  package internal(set) var notes: [String] = []
  /// What to see to in the files before their figures can be believed.
  package internal(set) var remedies: [Remedy] = []
  /// Why a run would say that its figures are not to be trusted.
  package internal(set) var warnings: [String] = []
  /// How many inputs lie where only Apache Spark can look at them.
  private var unseenInputs = 0
  /// Why the job would not run.
  package internal(set) var problems: [OfferliftError] = []

  init(path: String) {
    self.path = path
  }

  /// Takes what the inputs show each by itself.
  mutating func accept(_ looks: InputLooks) {
    findings += looks.findings
    remedies = looks.remedies
    notes += looks.doubts
    unseenInputs = looks.unseen.count
  }

  /// Why its figures would be nobody's: it would run, and measure nothing.
  package internal(set) var doubts: [OfferliftError] = []

  /// The last line where the job runs; nil where it does not, or where nobody would believe it.
  package var verdict: String? {
    guard problems.isEmpty, doubts.isEmpty else { return nil }
    if unseenInputs > 0 {
      return "Nothing stands in this job's way here; \(Phrase.count(unseenInputs, "input")) that Apache Spark reads "
        + "will show on the cluster."
    }
    if !remedies.isEmpty { return "This job would run, but with these files its figures are not to be believed." }
    guard !warnings.isEmpty else { return "This job will run." }
    return "This job will run, but its report will say not to trust the figures: see the "
      + (warnings.count == 1 ? "warning." : "\(warnings.count) warnings.")
  }

  /// The numbered list of what is to be mended; nil where there is nothing. Its exit code is that of the first.
  package var error: OfferliftError? {
    let all = problems.isEmpty ? doubts : problems
    guard let first = all.first else { return nil }
    let lines = all.flatMap { $0.message.split(separator: "\n").map(String.init) }
    let list = lines.enumerated().map { "\($0 + 1). \($1)" }
    let what = problems.isEmpty ? "would run, and measure nothing." : "will not run yet."
    let head = "\(path) \(what) \(lines.count == 1 ? "One thing" : "\(lines.count) things") to mend:"
    return OfferliftError(first.exit, problems: [head] + list)
  }
}
