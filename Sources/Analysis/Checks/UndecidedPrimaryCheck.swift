import Domain
import Jobs
import Measurement

/// `undecided_primary`: is a metric primary that decides nothing, because the test moves whom it is of?
struct UndecidedPrimaryCheck: HealthCheck {
  let terms = CheckTerms(
    "undecided_primary",
    "a cost among those who did something, or a quantile of those who paid, is `primary`: warns, for it is described and "
      + "never decided")
  let isRemark = true

  /// One row for each.
  func checks(of checked: CheckedOffering) -> [Check] {
    checked.job.metrics.compactMap { metric in
      metric.undecided.map {
        Check(offering: checked.offering.id, name: name, subject: "metric \(metric.id)", status: .warn, message: $0)
      }
    }
  }
}
