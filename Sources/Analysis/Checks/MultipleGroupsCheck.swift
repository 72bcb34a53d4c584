import Domain
import Jobs

/// `multiple_groups`: did users stay in the one group they were given?
struct MultipleGroupsCheck: HealthCheck {
  let terms = CheckTerms(
    "multiple_groups", "users assigned to several groups, of all assigned", warnsFrom: 0.01, failsFrom: 0.1)

  /// One row; none where nobody is assigned.
  func checks(of checked: CheckedOffering) -> [Check] {
    let offering = checked.offering
    guard offering.assignedUsers > 0 else { return [] }
    let share = Double(offering.multipleGroupUsers) / Double(offering.assignedUsers)
    let outcome = checked.job.multipleGroups == .exclude ? "they are left out" : "they count in their first group"
    return [
      row(
        offering: offering.id, count: offering.multipleGroupUsers, of: offering.assignedUsers, job: checked.job,
        message:
          "\(Phrase.count(offering.multipleGroupUsers)) of \(Phrase.count(offering.assignedUsers, "user")) "
          + "(\(Phrase.percent(share))) were assigned to more than one group; \(outcome)."
          + (offering.multipleGroupUsers > 0 ? Self.remedy(checked.job) : ""))
    ]
  }

  /// What to type where the log itself says who is in which group, and calls one group by several names.
  private static func remedy(_ job: Job) -> String {
    guard job.population == .logged else { return "" }
    return job.purchases.lazy.compactMap(\.format.groupsOfOneVariation).first.map { " \($0)" } ?? ""
  }
}
