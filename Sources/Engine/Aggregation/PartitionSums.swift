/// What one partition of users comes to; partitions are merged by exact addition, in any order.
struct PartitionSums: Sendable, Codable {
  var groups: [GroupKey: GroupAccumulator] = [:]
  var offerings: [UInt32: OfferingTally] = [:]
  var tally: EventTally
  var oddPrices = OddPrices()
  /// Products that give access at the cut-off and whose period nothing tells, where that leaves an end or a metric open.
  var unknownPeriods: Set<UInt32> = []
  var daily: DailySums
  var changes: ChangeSums
  /// Money that does not fit 64 bits of micros.
  var hasOverflowed = false

  init(files: Int, nights: Int, metrics: Int, changing: Int) {
    tally = EventTally(files: files)
    daily = DailySums(nights: nights, metrics: metrics)
    changes = ChangeSums(metrics: changing)
  }

  /// Adds users of a group.
  mutating func add(_ users: GroupAccumulator, to group: GroupKey) {
    if groups[group] == nil { groups[group] = users } else { groups[group]!.merge(users) }
  }

  mutating func merge(_ other: PartitionSums) {
    for (key, group) in other.groups { add(group, to: key) }
    for (key, offering) in other.offerings { offerings[key, default: OfferingTally()].merge(offering) }
    tally.merge(other.tally)
    oddPrices.merge(other.oddPrices)
    unknownPeriods.formUnion(other.unknownPeriods)
    daily.merge(other.daily)
    changes.merge(other.changes)
    hasOverflowed = hasOverflowed || other.hasOverflowed
  }
}
