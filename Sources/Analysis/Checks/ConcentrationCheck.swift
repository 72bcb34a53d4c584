import Domain
import Engine
import Jobs

/// `concentration`: does one user make up a group's revenue?
///
/// A mean that hangs on one big spender says little about anybody else, and its interval, which trusts the
/// bell curve, less. Revenue here is net, from the assignment to T, whatever the metrics' windows.
enum ConcentrationCheck {
  /// One row for each group that has any revenue.
  static func checks(of offering: OfferingMeasurement, job: Job) -> [Check] {
    let level = WarnLevels(job: job).level("concentration")
    return offering.groups.compactMap { check($0, of: offering.id, level: level, currency: job.currency) }
  }

  private static func check(
    _ group: GroupMeasurement, of offering: Identifier, level: Double, currency: String
  ) -> Check? {
    guard group.revenue > 0, group.largestUserRevenue >= 0 else { return nil }
    let share = Double(group.largestUserRevenue) / Double(group.revenue)
    let isTooMuch = share > level
    let remedy = isTooMuch ? " Give the revenue metrics a cap:, or read their robust: columns." : ""
    return Check(
      offering: offering, name: "concentration", subject: "group \(group.id)",
      status: isTooMuch ? .warn : .pass, observed: share, expected: level,
      message:
        "One user makes \(Phrase.percent(share)) of \(group.id)'s net revenue (\(money(group.largestUserRevenue)) "
        + "of \(money(group.revenue)) \(currency)).\(remedy)")
  }

  private static func money(_ micros: Int128) -> String {
    Phrase.decimal(Double(micros) / 1_000_000, decimals: 2)
  }
}
