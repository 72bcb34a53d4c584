import Domain
import Measurement
import Statistics

extension MeasurementBuilder {
  /// The changes of each group's primary metrics, values cut at the levels that each cut-off has.
  ///
  /// - Throws: `OfferliftError`, exit 65, where a sum does not fit 128 bits.
  func changes(_ sums: ChangeSums, _ plan: ChangePlan?) throws -> [MeasuredChange] {
    guard let plan else { return [] }
    let offerings = Dictionary(grouping: sums.groups, by: \.key.offering)
    return try offerings.flatMap { offering, groups in
      try plan.metrics.enumerated().flatMap { position, metric in
        try changes(of: metric, in: offering, groups.map { ($0.key.group, $0.value[position]) })
      }
    }
    .sorted { ($0.offering, $0.group, $0.metric) < ($1.offering, $1.group, $1.metric) }
  }

  private func changes(
    of metric: Int, in offering: UInt32, _ groups: [(group: UInt32, change: ChangeSums.MetricChange)]
  ) throws -> [MeasuredChange] {
    let caps = (
      known: cap(of: metric, groups.map(\.change.known)), before: cap(of: metric, groups.map(\.change.before)),
      now: cap(of: metric, groups.map(\.change.now))
    )
    return try groups.map { group, change in
      func settled(_ sums: Accumulator, _ cap: Int128?) throws -> SufficientStatistics {
        var sums = sums
        sums.settle(cap: cap)
        return try measurement(of: sums, metric: metric).statistics
      }
      let before = try settled(change.before, caps.before)
      var parts = try zip(ChangePart.ofUsers, change.since).map {
        MeasuredChange.Part($0, try settled($1, caps.now))
      }
      if metrics[metric].hasPercentileCap {
        let moved = try settled(change.before, caps.now).less(before)
        parts.insert(MeasuredChange.Part(.movedCap, moved), at: 0)
      }
      return MeasuredChange(
        offering: offeringNames[Int(offering)], group: groupNames[Int(group)],
        metric: Identifier(metrics[metric].measured.request.id),
        known: try settled(change.known, caps.known), before: before, parts: parts)
    }
  }
}
