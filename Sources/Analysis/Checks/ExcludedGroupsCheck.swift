import Domain
import Engine
import Jobs

/// `exclude_groups`: whom does the job leave out because their group is no part of the test?
struct ExcludedGroupsCheck: HealthCheck {
  let terms = CheckTerms("exclude_groups", "says how many users `exclude_groups:` leaves out")

  /// One row; none where nobody is left out.
  func checks(of checked: CheckedOffering) -> [Check] {
    let offering = checked.offering
    guard offering.inExcludedGroups > 0 else { return [] }
    let excluded = checked.job.excludedGroups
    let groups = excluded.everywhere.union(excluded.byOffering[offering.id] ?? []).sorted().map(\.text)
    return [
      Check(
        offering: offering.id, name: name, status: .pass, observed: Double(offering.inExcludedGroups),
        message:
          "\(Phrase.count(offering.inExcludedGroups, "user")) are in no group but \(Phrase.list(groups)) and are left out; "
          + "\(Phrase.count(offering.assignedUsers)) are in the test's groups.")
    ]
  }
}
