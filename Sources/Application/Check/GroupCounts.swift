import Domain
import Engine
import Jobs
import Measurement

/// Who is in which group, and which group the others are held against.
struct GroupCounts {
  private let offerings: [OfferingMeasurement]
  private let job: Job
  /// Some rows tell of a time behind the cut-off.
  private let hasLaterRows: Bool

  init(_ measurement: RunMeasurement, job: Job) {
    offerings = measurement.offerings
    hasLaterRows = measurement.accounts.contains { $0.setAside[.afterCutoff] != nil }
    self.job = job
  }

  /// One sentence an offering.
  var sentences: [String] {
    offerings.map { offering in
      let groups = offering.groups.map { "\($0.id): \(Phrase.count($0.assignedUsers, "user"))" }
      let baseline = BaselineRule(job: job).baseline(of: offering.id, among: offering.groups.map(\.id).sorted())
      let users = Phrase.count(offering.groups.reduce(0) { $0 + $1.assignedUsers }, "user")
      return "\(offering.id): \(users). \(groups.joined(separator: ", "))"
        + (baseline.map { "; the others are compared with \($0)." } ?? ".")
    }
  }

  /// Where there is nobody to measure.
  var nobody: String? {
    guard offerings.allSatisfy({ $0.assignedUsers + $0.notEnrolled == 0 }) else { return nil }
    return
      "\(job.file.lastPathComponent): nobody is in any group, so there is nothing to compare. Are the right files named "
      + "under assignments:, and the right columns?"
  }

  /// The same of a night: before a test's first day nobody is in a group, and that is as it should be.
  var nobodyYet: String? { hasLaterRows ? nil : nobody }

  /// Where `enrolment:` leaves nobody.
  var nobodyEnrolled: String? {
    let left = offerings.filter { $0.notEnrolled > 0 && $0.assignedUsers == 0 }
    guard !left.isEmpty else { return nil }
    return "\(job.file.lastPathComponent): enrolment: leaves nobody of \(Phrase.list(left.map { "\($0.id)" })): all "
      + "\(Phrase.count(left.reduce(0) { $0 + $1.notEnrolled }, "user")) were first assigned outside of it."
  }
}
