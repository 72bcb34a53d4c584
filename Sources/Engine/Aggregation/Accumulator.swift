import Jobs
import Statistics

/// One metric's sums over one segment of one group, while they grow.
struct Accumulator: Sendable {
  var statistics = SufficientStatistics()
  var immature = 0
  /// Of a metric whose cap depends on all users: how many users have each value that is not zero.
  var counts: [Quantity: Int] = [:]
  /// How many users have each value, once settled.
  private(set) var values: [ValueCount] = []
  /// A sum has left 128 bits.
  var hasOverflowed = false

  /// Adds one user.
  @inline(__always)
  mutating func add(_ quantity: Quantity, deferring: Bool) {
    if quantity == .zero {
      statistics.addZero()
    } else {
      add(quantity, users: 1, deferring: deferring)
    }
  }

  /// Adds users who have one quantity, or takes them away where `users` is negative.
  mutating func add(_ quantity: Quantity, users: Int, deferring: Bool) {
    if deferring, quantity != .zero {
      let left = counts[quantity, default: 0] + users
      counts[quantity] = left == 0 ? nil : left
    } else if !statistics.add(y: quantity.y, x: quantity.x, c: quantity.c, count: Int128(users)) {
      hasOverflowed = true
    }
  }

  mutating func merge(_ other: Accumulator) {
    if !statistics.merge(other.statistics) { hasOverflowed = true }
    immature += other.immature
    for (quantity, users) in other.counts { add(quantity, users: users, deferring: true) }
    if !other.values.isEmpty { values = Self.sum(values + other.values) }
    hasOverflowed = hasOverflowed || other.hasOverflowed
  }

  /// One count for each value, by value.
  private static func sum(_ counts: [ValueCount]) -> [ValueCount] {
    let users = counts.reduce(into: [:]) { $0[ValueCount.Value(y: $1.y, x: $1.x), default: 0] += $1.users }
    return users.map { ValueCount(y: $0.key.y, x: $0.key.x, users: $0.value) }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// Adds the counted users, each cut at `cap`, to the sums, and keeps how many have each value.
  mutating func settle(cap: Int128?) {
    var users: [ValueCount.Value: Int] = [:]
    for (quantity, count) in counts {
      let cut = quantity.capped(at: cap)
      add(cut, users: count, deferring: false)
      users[ValueCount.Value(y: cut.y, x: cut.x), default: 0] += count
    }
    let zeros = Int(statistics.n) - users.values.reduce(0, +)
    if zeros > 0 { users[ValueCount.Value(y: 0, x: 0), default: 0] += zeros }
    values = users.map { ValueCount(y: $0.key.y, x: $0.key.x, users: $0.value) }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
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

extension ArmKey {
  init(_ membership: Membership) {
    self.init(offering: membership.offering, group: membership.group)
  }
}

/// What measured users are known to have been shown before T.
package struct ShownUsers: Sendable, Equatable {
  /// Those to whom a paywall was shown, or an offering served.
  package var any = 0
  /// Those with a `paywall_view`.
  package var viewed = 0
  /// Those with an `offering_served`.
  package var served = 0

  package init(any: Int = 0, viewed: Int = 0, served: Int = 0) {
    self.any = any
    self.viewed = viewed
    self.served = served
  }

  package mutating func merge(_ other: ShownUsers) {
    any += other.any
    viewed += other.viewed
    served += other.served
  }
}

/// One group's users and sums, by segment.
struct ArmAccumulator: Sendable {
  /// Users assigned to the group and to no other.
  var assignedUsers = 0
  var measuredUsers = 0
  var shown = ShownUsers()
  /// Net revenue from the assignment to T, in micros, and the largest user's.
  var revenue: Int128 = 0
  var largestUserRevenue: Int128 = 0
  var purchases = PurchaseTimes()
  var tables: ArmTables
  var all: SegmentAccumulator
  /// By attribute, then by the number of its value.
  var bySegment: [[UInt32: SegmentAccumulator]]

  init(metrics: Int, attributes: Int, tables plan: ArmTablePlan) {
    tables = ArmTables(plan)
    all = SegmentAccumulator(metrics: metrics)
    bySegment = Array(repeating: [:], count: attributes)
  }

  mutating func merge(_ other: ArmAccumulator) {
    assignedUsers += other.assignedUsers
    measuredUsers += other.measuredUsers
    shown.merge(other.shown)
    revenue += other.revenue
    largestUserRevenue = max(largestUserRevenue, other.largestUserRevenue)
    purchases.merge(other.purchases)
    tables.merge(other.tables)
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
  var notEnrolled = 0
  var unexposedUsers = 0
  var earlierCustomers = 0
  var groupMismatches = 0
  var loggedEvents = 0
  var servedTwoGroups = 0
  /// When the first measured user's time began, in milliseconds since 1970.
  var measuredFrom = Int64.max

  mutating func merge(_ other: OfferingTally) {
    measuredFrom = min(measuredFrom, other.measuredFrom)
    assignedUsers += other.assignedUsers
    multipleGroupUsers += other.multipleGroupUsers
    notEnrolled += other.notEnrolled
    unexposedUsers += other.unexposedUsers
    earlierCustomers += other.earlierCustomers
    groupMismatches += other.groupMismatches
    loggedEvents += other.loggedEvents
    servedTwoGroups += other.servedTwoGroups
  }
}

/// What one partition of users comes to; partitions are merged by exact addition, in any order.
struct PartitionSums: Sendable {
  var arms: [ArmKey: ArmAccumulator] = [:]
  var offerings: [UInt32: OfferingTally] = [:]
  var tally: EventTally
  var oddPrices = OddPrices()
  /// Products that give access at T and whose period nothing tells, where that leaves an end or a metric open.
  var unknownPeriods: Set<UInt32> = []
  var daily: DailySums
  /// Money that does not fit 64 bits of micros.
  var hasOverflowed = false

  init(files: Int, nights: Int, metrics: Int) {
    tally = EventTally(files: files)
    daily = DailySums(nights: nights, metrics: metrics)
  }

  mutating func merge(_ other: PartitionSums) {
    for (key, arm) in other.arms {
      if arms[key] == nil { arms[key] = arm } else { arms[key]!.merge(arm) }
    }
    for (key, offering) in other.offerings { offerings[key, default: OfferingTally()].merge(offering) }
    tally.merge(other.tally)
    oddPrices.merge(other.oddPrices)
    unknownPeriods.formUnion(other.unknownPeriods)
    daily.merge(other.daily)
    hasOverflowed = hasOverflowed || other.hasOverflowed
  }
}
