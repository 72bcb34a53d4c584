import Domain

/// One group's users and sums.
package struct GroupMeasurement: Sendable {
  package var id: Identifier
  /// Users assigned to the group (those in several groups aside), before the population narrows it.
  package var assignedUsers = 0
  /// Of them those of each phase of dated weights, first those before all phases; empty where weights have no dates.
  package var assignedPhases: [Int] = []
  /// Users in the population.
  package var measuredUsers = 0
  package var shown = ShownUsers()
  /// Net revenue of the group's users from their assignment to the cut-off, in micros, and the largest user's part.
  package var revenue: Int128 = 0
  package var largestUserRevenue: Int128 = 0
  package var purchases = PurchaseTimes()
  package var tables = GroupTables()
  /// `all` first, then `attribute=value` by bytes; only segments that have users of this group.
  package var segments: [SegmentMeasurement]
  /// Its users by the phase of dated weights, and by the day, of their assignment, in order; no segments, but what groups
  /// are compared within.
  package var byPhase: [StratumMeasurement] = []
  package var byDay: [StratumMeasurement] = []

  package init(
    id: Identifier, assignedUsers: Int = 0, measuredUsers: Int = 0, shown: ShownUsers = ShownUsers(),
    revenue: Int128 = 0, largestUserRevenue: Int128 = 0, purchases: PurchaseTimes = PurchaseTimes(),
    tables: GroupTables = GroupTables(), segments: [SegmentMeasurement]
  ) {
    self.id = id
    self.assignedUsers = assignedUsers
    self.measuredUsers = measuredUsers
    self.shown = shown
    self.revenue = revenue
    self.largestUserRevenue = largestUserRevenue
    self.purchases = purchases
    self.tables = tables
    self.segments = segments
  }
}

/// Whether measured users' charges came before or after their time began.
package struct PurchaseTimes: Sendable, Codable {
  package var before = 0
  package var after = 0
  /// Of those after it, those that may have come before: one of the two times is told by its day alone.
  package var ofUnknownOrder = 0
  /// The latest, in milliseconds since 1970.
  package var latest = Int64.min
  /// Users with a charge, whenever it came.
  package var buyers = 0
  /// Those of them who had no charge after their time began.
  package var boughtOnlyBefore = 0
  /// Those of them of whom nothing at all is told after their time began.
  package var onlyBefore = 0
  /// Those of them whose last event is of the UTC day on which their time began.
  package var onlyBeforeThatDay = 0

  package init(before: Int = 0, after: Int = 0, latest: Int64 = Int64.min) {
    self.before = before
    self.after = after
    self.latest = latest
  }

  /// Takes a user with a charge, whose time began at `start`: the last charge, and the last of all other events.
  @inline(__always)
  package mutating func addBuyer(lastCharge: Int64, lastEvent: Int64?, from start: Int64) {
    buyers += 1
    guard lastCharge < start else { return }
    boughtOnlyBefore += 1
    let last = max(lastCharge, lastEvent ?? .min)
    guard last < start else { return }
    onlyBefore += 1
    let days = [last, start].map { Instant(milliseconds: $0).utcDay }
    if days[0] == days[1] { onlyBeforeThatDay += 1 }
  }

  /// Takes one of a user's whose time began at `start`.
  @inline(__always)
  package mutating func add(_ time: Int64, from start: Int64) {
    if time < start { before += 1 } else { after += 1 }
    latest = max(latest, time)
  }

  package mutating func merge(_ other: PurchaseTimes) {
    before += other.before
    after += other.after
    buyers += other.buyers
    boughtOnlyBefore += other.boughtOnlyBefore
    onlyBefore += other.onlyBefore
    onlyBeforeThatDay += other.onlyBeforeThatDay
    ofUnknownOrder += other.ofUnknownOrder
    latest = max(latest, other.latest)
  }
}
