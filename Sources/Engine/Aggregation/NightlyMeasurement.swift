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
        asOf: Instant(milliseconds: nights.cutoff(night)), offerings: try offerings(arms(of: totals)))
    }
  }

  /// The groups as they stood; one that had no users by then would have no rows in that night's run.
  private func arms(of totals: [DailySums.Cell: [Accumulator]]) -> [ArmKey: ArmAccumulator] {
    var arms: [ArmKey: ArmAccumulator] = [:]
    for (cell, changes) in totals {
      var segment = SegmentAccumulator(metrics: metrics.count)
      // The last of the changes are the users.
      segment.users = Int(changes[metrics.count].statistics.n)
      segment.metrics = Array(changes.prefix(metrics.count))
      guard segment.users > 0 else { continue }
      var arm =
        arms[cell.arm]
        ?? ArmAccumulator(metrics: metrics.count, attributes: roster.attributes.count, tables: tables)
      if let attribute = cell.attribute {
        arm.bySegment[attribute][cell.value] = segment
      } else {
        arm.all = segment
        arm.assignedUsers = segment.users
        arm.measuredUsers = segment.users
      }
      arms[cell.arm] = arm
    }
    return arms
  }

  private func offerings(_ arms: [ArmKey: ArmAccumulator]) throws -> [OfferingMeasurement] {
    try Dictionary(grouping: arms, by: \.key.offering)
      .map { code, arms in
        try offering(code, OfferingTally(), arms.map { ($0.key.group, $0.value) })
      }
      .sorted { $0.id < $1.id }
  }
}
