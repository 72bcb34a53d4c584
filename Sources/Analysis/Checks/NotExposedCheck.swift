import Domain
import Jobs
import Measurement

/// `not_exposed`: did most of the users who count see the paywall at all?
struct NotExposedCheck: HealthCheck {
  let terms = CheckTerms(
    "not_exposed", "assigned users who never saw the paywall, where a log has `paywall_view`", warnsFrom: 0.5)

  /// One row; none where no log has views, or where the job itself counts only who saw the paywall.
  func checks(of exposure: CheckedExposure) -> [Check] {
    guard exposure.viewsAreLogged, exposure.job.population == .assigned else { return [] }
    let unseen = exposure.measuredUsers - exposure.offering.groups.reduce(0) { $0 + $1.shown.viewed }
    var check = row(
      offering: exposure.offering.id, count: unseen, of: exposure.measuredUsers, job: exposure.job,
      message: "\(exposure.phrase(unseen)) never saw the paywall.")
    if check.status != .pass {
      check.message += " They hide the effect on those who did. To count only those, write `population: exposed`."
    }
    return [check]
  }
}
