import Domain
import Engine
import Jobs

/// `multiple_groups`, `group_mismatch`, `before_assignment`: did users stay in the one group they were given, and buy
/// afterwards?
enum AssignmentChecks {
  /// From this share of users in several groups an offering is not to be trusted.
  static let failLevel = 0.1

  static func checks(of offering: OfferingMeasurement, job: Job) -> [Check] {
    let levels = WarnLevels(job: job)
    return [
      enrolment(offering), multipleGroups(offering, job, levels), groupMismatch(offering, levels),
      beforeAssignment(offering),
    ]
    .compactMap(\.self)
  }

  /// Who is left out by the job's own wish; nil where nobody is.
  private static func enrolment(_ offering: OfferingMeasurement) -> Check? {
    guard offering.notEnrolled > 0 else { return nil }
    return Check(
      offering: offering.id, name: "enrolment", status: .pass, observed: Double(offering.notEnrolled),
      message:
        "\(Phrase.count(offering.notEnrolled, "user")) were first assigned outside enrolment: and are left out; "
        + "\(Phrase.count(offering.assignedUsers)) were first assigned within it.")
  }

  private static func multipleGroups(
    _ offering: OfferingMeasurement, _ job: Job, _ levels: WarnLevels
  ) -> Check? {
    guard offering.assignedUsers > 0 else { return nil }
    let share = Double(offering.multipleGroupUsers) / Double(offering.assignedUsers)
    let level = levels.level("multiple_groups")
    let fate = job.multipleGroups == .exclude ? "they are left out" : "they count in their first group"
    return Check(
      offering: offering.id, name: "multiple_groups",
      status: Check.status(ofShare: share, warnLevel: level, failLevel: max(failLevel, level)),
      observed: share, expected: level,
      message:
        "\(Phrase.count(offering.multipleGroupUsers)) of \(Phrase.count(offering.assignedUsers, "user")) "
        + "(\(Phrase.percent(share))) were assigned to more than one group; \(fate).")
  }

  private static func groupMismatch(_ offering: OfferingMeasurement, _ levels: WarnLevels) -> Check? {
    guard offering.loggedEvents > 0 else { return nil }
    let share = Double(offering.groupMismatches) / Double(offering.loggedEvents)
    let level = levels.level("group_mismatch")
    return Check(
      offering: offering.id, name: "group_mismatch", status: Check.status(ofShare: share, warnLevel: level),
      observed: share, expected: level,
      message:
        "\(Phrase.count(offering.groupMismatches)) of \(Phrase.count(offering.loggedEvents, "event")) that "
        + "name a group (\(Phrase.percent(share))) name another than the user's; they count in the user's own."
    )
  }

  /// Purchases that all came before their users' time began are those of another time, or times were misread.
  private static func beforeAssignment(_ offering: OfferingMeasurement) -> Check? {
    let purchases = offering.groups.reduce(into: PurchaseTimes()) { $0.merge($1.purchases) }
    let total = purchases.before + purchases.after
    guard total > 0 else { return nil }
    var check = Check(
      offering: offering.id, name: "before_assignment", status: .pass,
      observed: Double(purchases.before) / Double(total), expected: nil,
      message:
        "\(Phrase.count(purchases.before)) of \(Phrase.count(total, "purchase")) of measured users "
        + "(\(Phrase.percent(Double(purchases.before) / Double(total)))) came before their assignment.")
    guard purchases.after == 0, let first = offering.measuredFrom else { return check }
    check.status = .fail
    check.message =
      "All \(Phrase.count(total, "purchase")) of measured users came before their assignment: the last is of "
      + "\(Instant(milliseconds: purchases.latest).rfc3339), the first user was assigned at \(first.rfc3339). Are both "
      + "inputs of the same time, and are timezone:, time_unit: and the column of assigned_at right?"
    return check
  }
}
