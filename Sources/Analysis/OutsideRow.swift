import Domain
import Measurement

/// What some users bought: a group's, or those in no offering whose events were logged alike.
package struct OutsideRow: Sendable {
  package var position: Position
  /// The group's, or as the log has them; nil where it has none.
  package var offering: Identifier?
  package var group: Identifier?
  package var sales: Sales

  package enum Position: String, Sendable {
    /// A group's measured users, from their assignment to the cut-off.
    case group
    /// Users in no offering of the job, whenever before the cut-off.
    case outside
  }

  /// The share of the users who paid.
  package var conversion: Double? { GroupRows.share(sales.payers, of: sales.users) }
  /// In units of the reporting currency.
  package var netPerUser: Double? { sales.users > 0 ? Double(sales.net) / 1_000_000 / Double(sales.users) : nil }

  /// The groups, and beside them those in none; nothing where the job does not ask for these.
  package static func rows(of measurement: RunMeasurement) -> [OutsideRow] {
    guard !measurement.outside.isEmpty else { return [] }
    let groups = measurement.offerings.flatMap { offering in
      offering.groups.map {
        OutsideRow(position: .group, offering: offering.id, group: $0.id, sales: $0.tables.sales)
      }
    }
    return groups
      + measurement.outside.map {
        OutsideRow(position: .outside, offering: $0.offering, group: $0.group, sales: $0.sales)
      }
  }
}
