import Statistics

/// One metric's sums over one segment of one group, while they grow.
struct Accumulator: Sendable {
  var statistics = SufficientStatistics()
  var immature = 0
  /// Of a metric whose cap depends on all users: how many users have each value that is not zero.
  var counts: [Quantity: Int] = [:]
  /// A sum has left 128 bits.
  var hasOverflowed = false

  /// Adds one user.
  @inline(__always)
  mutating func add(_ quantity: Quantity, deferring: Bool) {
    if quantity.y == 0 && quantity.x == 0 {
      statistics.addZero()
    } else if deferring {
      counts[quantity, default: 0] += 1
    } else if !statistics.add(y: quantity.y, x: quantity.x) {
      hasOverflowed = true
    }
  }

  mutating func merge(_ other: Accumulator) {
    if !statistics.merge(other.statistics) { hasOverflowed = true }
    immature += other.immature
    counts.merge(other.counts, uniquingKeysWith: +)
    hasOverflowed = hasOverflowed || other.hasOverflowed
  }

  /// Adds the counted users, each cut at `cap`, to the sums.
  mutating func settle(cap: Int128?) {
    for (quantity, users) in counts {
      let y = cap.map { min(quantity.y, $0) } ?? quantity.y
      if !statistics.add(y: y, x: quantity.x, count: Int128(users)) { hasOverflowed = true }
    }
    counts = [:]
  }
}

/// All metrics over one segment of one group.
struct SegmentAccumulator: Sendable {
  var users = 0
  var metrics: [Accumulator]

  init(metrics: Int) {
    self.metrics = Array(repeating: Accumulator(), count: metrics)
  }

  mutating func merge(_ other: SegmentAccumulator) {
    users += other.users
    for metric in metrics.indices { metrics[metric].merge(other.metrics[metric]) }
  }
}

/// One group of one offering, by the numbers of their names.
struct ArmKey: Sendable, Hashable {
  var offering: UInt32
  var group: UInt32
}

/// One group's users and sums, by segment.
struct ArmAccumulator: Sendable {
  /// Users assigned to the group and to no other.
  var assignedUsers = 0
  var measuredUsers = 0
  var all: SegmentAccumulator
  /// By attribute, then by the number of its value.
  var bySegment: [[UInt32: SegmentAccumulator]]

  init(metrics: Int, attributes: Int) {
    all = SegmentAccumulator(metrics: metrics)
    bySegment = Array(repeating: [:], count: attributes)
  }

  mutating func merge(_ other: ArmAccumulator) {
    assignedUsers += other.assignedUsers
    measuredUsers += other.measuredUsers
    all.merge(other.all)
    for attribute in bySegment.indices {
      bySegment[attribute].merge(other.bySegment[attribute]) { mine, theirs in
        var sum = mine
        sum.merge(theirs)
        return sum
      }
    }
  }
}

/// What is counted of an offering beside its groups.
struct OfferingTally: Sendable {
  var assignedUsers = 0
  var multipleGroupUsers = 0
  var unexposedUsers = 0
  var earlierCustomers = 0
  var groupMismatches = 0
  var loggedEvents = 0
  /// When the first measured user's time began, in milliseconds since 1970.
  var measuredFrom = Int64.max

  mutating func merge(_ other: OfferingTally) {
    measuredFrom = min(measuredFrom, other.measuredFrom)
    assignedUsers += other.assignedUsers
    multipleGroupUsers += other.multipleGroupUsers
    unexposedUsers += other.unexposedUsers
    earlierCustomers += other.earlierCustomers
    groupMismatches += other.groupMismatches
    loggedEvents += other.loggedEvents
  }
}

/// What one partition of users comes to; partitions are merged by exact addition, in any order.
struct PartitionSums: Sendable {
  var arms: [ArmKey: ArmAccumulator] = [:]
  var offerings: [UInt32: OfferingTally] = [:]
  var tally: EventTally
  /// Money that does not fit 64 bits of micros.
  var hasOverflowed = false

  init(files: Int) {
    tally = EventTally(files: files)
  }

  mutating func merge(_ other: PartitionSums) {
    for (key, arm) in other.arms {
      if arms[key] == nil { arms[key] = arm } else { arms[key]!.merge(arm) }
    }
    for (key, offering) in other.offerings { offerings[key, default: OfferingTally()].merge(offering) }
    tally.merge(other.tally)
    hasOverflowed = hasOverflowed || other.hasOverflowed
  }
}
