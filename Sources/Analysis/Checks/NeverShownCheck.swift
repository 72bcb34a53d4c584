import Domain
import Jobs
import Measurement

/// `never_shown`: which users saw no paywall, and were served no offering?
struct NeverShownCheck: HealthCheck {
  let terms = CheckTerms(
    "never_shown",
    "measured users without a `paywall_view` or `offering_served`; warns only where `warn_levels:` says so",
    warnsFrom: .infinity)

  /// One row; none where no log says what anybody was shown.
  func checks(of exposure: CheckedExposure) -> [Check] {
    guard exposure.isLogged else { return [] }
    let shown = exposure.offering.groups.reduce(into: ShownUsers()) { $0.merge($1.shown) }
    let users = exposure.measuredUsers - shown.any
    var check = row(
      offering: exposure.offering.id, count: users, of: exposure.measuredUsers, job: exposure.job,
      message: "\(exposure.phrase(users)) were never shown a paywall nor served an offering; they count all the same.")
    if shown.served > 0, shown.viewed > 0 {
      for (name, users) in [("served", shown.served), ("viewed", shown.viewed)] {
        check.figures[name] = Double(users)
        check.figures["\(name)_share"] = exposure.share(users)
      }
      // Either counts as shown, and they tell very different shares.
      check.message +=
        " \(exposure.short(shown.served)) were served the offering, and \(exposure.short(shown.viewed)) are "
        + "known to have seen a paywall: to be served one is not to see it."
    }
    return [check]
  }
}

extension CheckedExposure {
  /// `6,700 (67 %)`.
  fileprivate func short(_ users: Int) -> String { "\(Phrase.count(users)) (\(Phrase.percent(share(users))))" }
}
