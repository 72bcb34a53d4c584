/// `multiple_groups`, `group_mismatch`: did users stay in the one group they were given?
enum AssignmentChecks {
  /// From this share of users in several groups an offering is not to be trusted.
  static let failLevel = 0.1

  static func checks(of offering: OfferingMeasurement, job: Job) -> [Check] {
    let levels = WarnLevels(job: job)
    return [enrolment(offering), multipleGroups(offering, job, levels), groupMismatch(offering, levels)]
      .compactMap(\.self)
  }

  /// Who is left out by the job's own wish; nil where nobody is.
  private static func enrolment(_ offering: OfferingMeasurement) -> Check? {
    guard offering.notEnrolled > 0 else { return nil }
    return Check(
      offering: offering.id, name: "enrolment", status: .pass, observed: Double(offering.notEnrolled),
      message:
        "\(Words.count(offering.notEnrolled, "user")) were first assigned outside enrolment: and are left out; "
        + "\(Words.count(offering.assignedUsers)) were first assigned within it.")
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
        "\(Words.count(offering.multipleGroupUsers)) of \(Words.count(offering.assignedUsers, "user")) "
        + "(\(Words.percent(share))) were assigned to more than one group; \(fate).")
  }

  private static func groupMismatch(_ offering: OfferingMeasurement, _ levels: WarnLevels) -> Check? {
    guard offering.loggedEvents > 0 else { return nil }
    let share = Double(offering.groupMismatches) / Double(offering.loggedEvents)
    let level = levels.level("group_mismatch")
    return Check(
      offering: offering.id, name: "group_mismatch", status: Check.status(ofShare: share, warnLevel: level),
      observed: share, expected: level,
      message:
        "\(Words.count(offering.groupMismatches)) of \(Words.count(offering.loggedEvents, "event")) that "
        + "name a group (\(Words.percent(share))) name another than the user's; they count in the user's own."
    )
  }
}
