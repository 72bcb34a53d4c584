import Domain
import Jobs

/// `served_two_groups`: was what users saw sticky?
struct ServedTwoGroupsCheck: HealthCheck {
  let terms = CheckTerms(
    "served_two_groups", "measured users with events of two groups of the offering", warnsFrom: 0.01)

  /// One row; none where no event names a group.
  func checks(of exposure: CheckedExposure) -> [Check] {
    let users = exposure.offering.servedTwoGroups
    guard exposure.offering.loggedEvents > 0 else { return [] }
    return [
      row(
        offering: exposure.offering.id, count: users, of: exposure.measuredUsers, job: exposure.job,
        message:
          "\(exposure.phrase(users)) have events of more than one of its groups: what they saw was not sticky.")
    ]
  }
}
