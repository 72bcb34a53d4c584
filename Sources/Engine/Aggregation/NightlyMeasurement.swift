import Domain
import Statistics

extension MeasurementBuilder {
  /// The sums of each night, in order: what has changed so far, added up, and settled as a run's own are.
  ///
  /// - Throws: `OfferliftError`, exit 65, where a sum does not fit 128 bits.
  func nights(_ sums: DailySums, _ nights: Nights) throws -> [DailyMeasurement] {
    var totals: [DailySums.Cell: [Accumulator]] = [:]
    return try (0..<nights.count).map { night in
      for (cell, changes) in sums.changes(onNight: night) {
        var total = totals[cell] ?? Array(repeating: Accumulator(), count: changes.count)
        for (index, change) in changes.enumerated() { total[index].merge(change) }
        totals[cell] = total
      }
      return DailyMeasurement(
        asOf: Instant(milliseconds: nights.cutoff(night)), offerings: try offerings(groups(of: totals)))
    }
  }

  /// The groups as they stood; one that had no users by then would have no rows in that night's run.
  private func groups(of totals: [DailySums.Cell: [Accumulator]]) -> [GroupKey: GroupAccumulator] {
    var groups: [GroupKey: GroupAccumulator] = [:]
    for (cell, changes) in totals {
      var segment = SegmentAccumulator(metrics: metrics.count)
      // The last of the changes are the users.
      segment.users = Int(changes[metrics.count].statistics.n)
      segment.metrics = Array(changes.prefix(metrics.count))
      guard segment.users > 0 else { continue }
      var group =
        groups[cell.group]
        ?? GroupAccumulator(metrics: metrics.count, attributes: roster.attributes.count, tables: tables)
      if let attribute = cell.attribute {
        group.bySegment[attribute][cell.value] = segment
      } else {
        group.all = segment
        group.assignedUsers = segment.users
        group.measuredUsers = segment.users
      }
      groups[cell.group] = group
    }
    return groups
  }

  private func offerings(_ groups: [GroupKey: GroupAccumulator]) throws -> [OfferingMeasurement] {
    try Dictionary(grouping: groups, by: \.key.offering)
      .map { code, groups in
        try offering(code, OfferingTally(), groups.map { ($0.key.group, $0.value) })
      }
      .sorted { $0.id < $1.id }
  }
}
