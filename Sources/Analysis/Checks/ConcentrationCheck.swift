import Domain
import Jobs
import Measurement

/// `concentration`: does one user make up a group's revenue?
///
/// A mean that hangs on one big spender says little about anybody else, and its interval, which trusts the
/// bell curve, less. Revenue here is net, from the assignment to the cut-off, whatever the metrics' windows.
struct ConcentrationCheck: HealthCheck {
  let terms = CheckTerms("concentration", "the part of a group's net revenue that one user makes", warnsFrom: 0.05)

  /// One row for each group that has any revenue.
  func checks(of offering: CheckedOffering) -> [Check] {
    offering.offering.groups.compactMap { check($0, of: offering.offering.id, offering.job) }
  }

  private func check(_ group: GroupMeasurement, of offering: Identifier, _ job: Job) -> Check? {
    guard group.revenue > 0, group.largestUserRevenue >= 0 else { return nil }
    let share = Double(group.largestUserRevenue) / Double(group.revenue)
    let level = terms.level(in: job)
    let isTooMuch = share > level
    let remedy = isTooMuch ? " Give the revenue metrics a cap:, or read their robust: columns." : ""
    return Check(
      offering: offering, name: name, subject: "group \(group.id)",
      status: isTooMuch ? .warn : .pass, observed: share, expected: level,
      message:
        "One user makes \(Phrase.percent(share)) of \(group.id.inWords)'s net revenue (\(money(group.largestUserRevenue)) "
        + "of \(money(group.revenue)) \(job.currency)).\(remedy)",
      figures: [
        "largest_user_revenue": Double(group.largestUserRevenue) / 1_000_000,
        "revenue": Double(group.revenue) / 1_000_000,
      ])
  }

  private func money(_ micros: Int128) -> String {
    Phrase.decimal(Double(micros) / 1_000_000, decimals: 2)
  }
}
