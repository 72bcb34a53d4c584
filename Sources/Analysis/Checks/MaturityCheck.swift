import Domain
import Jobs

/// `maturity`: for how many users has a metric's window ended?
struct MaturityCheck: HealthCheck {
  let terms = CheckTerms("maturity", "users whose window has not ended", warnsFrom: 0.5)
  let isRemark = true

  /// One row, over everybody; none where nobody is measured.
  func checks(of checked: CheckedMetric) -> [Check] {
    guard let set = checked.everybody else { return [] }
    let request = checked.metric.request
    let immature = checked.groups.reduce(0) { $0 + $1.immature }
    let counted = set.samples.reduce(0) { $0 + Int($1.moments.count) }
    let users = request.includesImmature ? counted : counted + immature
    guard users > 0 else { return [] }
    let share = Double(immature) / Double(users)
    let outcome = request.includesImmature ? "they count as they stand" : "they are left out until it has"
    return [
      row(
        offering: checked.offering, subject: "metric \(request.id)", count: immature, of: users, job: checked.job,
        message:
          "\(request.id): the window of \(Phrase.count(immature)) of \(Phrase.count(users, "user")) "
          + "(\(Phrase.percent(share))) has not ended; \(outcome).")
    ]
  }
}
