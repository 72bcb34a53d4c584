import Statistics

/// Adjusts the deciding p-values for being many, family by family.
///
/// Within an offering there are three: primary metrics over everybody (`adjust:`), all other metrics over
/// everybody (Benjamini and Hochberg), and all metrics over every other segment (the same): those are there to
/// explore. `adjust: none` leaves all three as they are. A p-value that cannot be computed is in no family.
enum Families {
  /// Fills in `adjustedPValue` of every row.
  static func adjust(_ rows: inout [ComparisonRow], settings: AnalysisSettings) {
    var families: [Key: [Int]] = [:]
    for index in rows.indices { families[Key(rows[index]), default: []].append(index) }
    for (key, members) in families {
      let method = key.role == .primary ? settings.primaryAdjustment : settings.secondaryAdjustment
      let adjusted = method.adjusted(members.map { rows[$0].decidingPValue(settings.decideBy) })
      for (index, value) in zip(members, adjusted) { rows[index].adjustedPValue = value }
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
