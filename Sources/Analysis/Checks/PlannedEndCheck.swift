import Domain
import Jobs
import Measurement

/// `planned_end`: is the plan one of whole weeks, and long enough for what decides?
struct PlannedEndCheck: HealthCheck {
  let terms = CheckTerms(
    "planned_end",
    "`plan: {nights: …}` is no number of whole weeks, or too short for the window of a metric that decides: warns")
  let isRemark = true

  /// One row for each thing that is wrong with the plan; none without one.
  func checks(of checked: CheckedOffering) -> [Check] {
    guard let nights = checked.job.plan?.nights else { return [] }
    var checks: [Check] = []
    if nights < WholeDays.needed || nights % WholeDays.needed != 0 {
      let weeks = max(1, Int((Double(nights) / Double(WholeDays.needed)).rounded()))
      checks.append(
        check(
          checked, observed: Double(nights),
          "The plan of \(Phrase.count(nights, "night")) is no number of whole weeks, and people buy otherwise at weekends; "
            + "write plan: {nights: \(weeks * WholeDays.needed)}."))
    }
    let deciding = Set(LeadMetrics.speaking(checked.job.metrics))
    let windows = checked.job.metrics.filter { deciding.contains(Identifier($0.id)) && !$0.includesImmature }
      .compactMap { metric in metric.windowDays.map { (id: metric.id, days: $0) } }
    if let longest = windows.max(by: { $0.days < $1.days }), longest.days >= Double(nights) {
      let needed = (Int(longest.days.rounded(.up)) + 2 * WholeDays.needed + 6) / WholeDays.needed * WholeDays.needed
      checks.append(
        check(
          checked, observed: Double(nights),
          "\(longest.id) needs \(Phrase.decimal(longest.days, decimals: 1)) days a user, and the plan ends after "
            + "\(Phrase.count(nights, "night")): hardly anybody's window is over by then. Write plan: {nights: \(needed)}, "
            + "or take a shorter window."))
    }
    return checks
  }

  private func check(_ checked: CheckedOffering, observed: Double, _ message: String) -> Check {
    Check(offering: checked.offering.id, name: name, status: .warn, observed: observed, message: message)
  }
}
