import Statistics

extension MeasurementBuilder {
  /// The sums of each night, in order: what has changed so far, added up.
  ///
  /// - Throws: `OfferliftError`, exit 65, where a sum does not fit 128 bits.
  func nights(_ sums: DailySums, _ nights: Nights) throws -> [DailyMeasurement] {
    var arms: [ArmKey: [Accumulator]] = [:]
    return try (0..<nights.count).map { night in
      for (arm, changes) in sums.changes(onNight: night) {
        var totals = arms[arm] ?? Array(repeating: Accumulator(), count: metrics.count + 1)
        for (index, change) in changes.enumerated() { totals[index].merge(change) }
        arms[arm] = totals
      }
      return DailyMeasurement(
        asOf: Instant(milliseconds: nights.cutoff(night)), offerings: try offerings(arms))
    }
  }

  private func offerings(_ arms: [ArmKey: [Accumulator]]) throws -> [OfferingMeasurement] {
    let names = (offerings: roster.names.offerings.names, groups: roster.names.groups.names)
    return try Dictionary(grouping: arms, by: \.key.offering).map { offering, arms in
      let settled = settled(arms.map { ($0.key.group, $0.value) })
      let groups = try settled.compactMap { group, metrics -> GroupMeasurement? in
        // The last are the users; a group that had none by then would have no rows in that night's run.
        let users = Int(metrics[metrics.count - 1].statistics.n)
        guard users > 0 else { return nil }
        let all = SegmentMeasurement(
          id: "all", users: users,
          metrics: try self.metrics.indices.map { try measurement(of: metrics[$0], metric: $0) })
        return GroupMeasurement(
          id: names.groups[Int(group)], assignedUsers: users, measuredUsers: users, segments: [all])
      }
      let id = names.offerings[Int(offering)]
      return OfferingMeasurement(
        id: id, groups: groups.sorted { $0.id < $1.id }, weights: catalog.weights[id] ?? job.weights[id],
        pricesDiffer: catalog.pricesDiffer(in: id))
    }
    .sorted { $0.id < $1.id }
  }

  /// One night's sums of an offering's groups, with that night's caps.
  private func settled(_ arms: [(group: UInt32, metrics: [Accumulator])]) -> [(UInt32, [Accumulator])] {
    var arms = arms
    for index in metrics.indices where metrics[index].countsValues {
      let cap = cap(of: index, arms.map(\.metrics[index]))
      for arm in arms.indices { arms[arm].metrics[index].settle(cap: cap) }
    }
    return arms.map { ($0.group, $0.metrics) }
  }
}
