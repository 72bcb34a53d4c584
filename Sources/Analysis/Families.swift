import Domain
import Statistics

/// Adjusts the deciding p-values for being many, family by family.
///
/// Within an offering there are three: primary metrics over everybody (`adjust:`), all other metrics over
/// everybody (Benjamini and Hochberg), and all metrics over every other segment (the same): those are there to
/// explore. `adjust: none` leaves all three as they are. A p-value that cannot be computed is in no family. The interval
/// shown beside a decision is taken at the level that the adjustment leaves its test.
enum Families {
  /// Fills in `adjustedPValue` and `decidedLiftInterval` of every row.
  static func adjust(_ rows: inout [ComparisonRow], settings: AnalysisSettings) {
    var families: [Key: [Int]] = [:]
    for index in rows.indices { families[Key(rows[index]), default: []].append(index) }
    for (key, members) in families {
      let method = key.role == .primary ? settings.adjust : settings.secondaryAdjustment
      let pValues = members.map { rows[$0].outcome(by: settings.rule.name)?.pValue }
      let settled = zip(method.adjusted(pValues), method.shares(pValues))
      for (index, (adjusted, share)) in zip(members, settled) {
        rows[index].settle(adjusted: adjusted, shareOfAlpha: share, alpha: settings.alpha)
      }
    }
  }

  private struct Key: Hashable {
    var offering: Identifier
    var role: Role

    enum Role { case primary, secondary, exploratory }

    init(_ row: ComparisonRow) {
      offering = row.key.offering
      role = row.key.segment != CellKey.everybody ? .exploratory : row.primary ? .primary : .secondary
    }
  }
}
