import Domain
import Jobs
import Measurement

/// A health check: whether the inputs, and what was counted of them, can be believed.
///
/// A new check is a file with one of these, and a line in `CheckCatalog`. It answers for what it looks at, by the
/// method that takes it, and leaves the others as they are.
protocol HealthCheck: Sendable {
  /// Its name, and the shares from which it warns or fails.
  var terms: CheckTerms { get }
  /// Of a check that makes two tests at once, the second.
  var companions: [CheckTerms] { get }

  /// What it warns of lies in the test's design or in the data's shape, and is accounted for: good to know, and nothing
  /// that anybody has to mend.
  var isRemark: Bool { get }

  /// Looks at the inputs as a whole, whatever the cut-off.
  func checks(of inputs: CheckedInputs) -> [Check]
  /// Looks at how the inputs go with the night.
  func checks(of night: CheckedNight) -> [Check]
  /// Looks at one offering's users and sums.
  func checks(of offering: CheckedOffering) -> [Check]
  /// Looks at one metric of one offering.
  func checks(of metric: CheckedMetric) -> [Check]
  /// Looks at what an offering's comparisons rest on.
  func checks(of comparisons: CheckedComparisons) -> [Check]
  /// Looks at what an offering's users were shown.
  func checks(of exposure: CheckedExposure) -> [Check]
  /// Looks at what the primary metrics changed by since the night before.
  func checks(of changes: CheckedChanges) -> [Check]
}

extension HealthCheck {
  var companions: [CheckTerms] { [] }
  var isRemark: Bool { false }

  func checks(of inputs: CheckedInputs) -> [Check] { [] }
  func checks(of night: CheckedNight) -> [Check] { [] }
  func checks(of offering: CheckedOffering) -> [Check] { [] }
  func checks(of metric: CheckedMetric) -> [Check] { [] }
  func checks(of comparisons: CheckedComparisons) -> [Check] { [] }
  func checks(of exposure: CheckedExposure) -> [Check] { [] }
  func checks(of changes: CheckedChanges) -> [Check] { [] }

  var name: String { terms.name }

  /// A row that judges a share of something by the check's levels.
  func row(
    offering: Identifier? = nil, subject: String = "", share: Double, job: Job, message: String
  ) -> Check {
    let level = terms.level(in: job)
    return Check(
      offering: offering, name: name, subject: subject, status: terms.status(ofShare: share, in: job),
      observed: share, expected: level.isFinite ? level : nil, message: message)
  }

  /// The same of so many among all.
  func row(
    offering: Identifier? = nil, subject: String = "", count: Int, of all: Int, job: Job, message: String
  ) -> Check {
    var check = row(
      offering: offering, subject: subject, share: Double(count) / Double(all), job: job, message: message)
    check.figures = ["count": Double(count), "of": Double(all)]
    return check
  }
}

extension CheckTerms {
  /// What a share comes to: a failure from `failsFrom`, a warning from `warnsFrom`, where a job's `warn_levels:` moves
  /// the first of the two that the check has, and a failure never comes before its warning.
  func status(ofShare share: Double, in job: Job) -> Check.Status {
    let level = level(in: job)
    guard warnsFrom != nil else { return share >= level ? .fail : .pass }
    if let failsFrom, share >= max(failsFrom, level) { return .fail }
    return share >= level ? .warn : .pass
  }
}
