import Jobs
import Measurement

/// One group's users and sums, by segment.
struct GroupAccumulator: Tally {
  /// Users assigned to the group and to no other.
  var assignedUsers = 0
  /// Of them those of each phase, where weights are dated.
  var assignedPhases: [UInt32: Int] = [:]
  var measuredUsers = 0
  var shown = ShownUsers()
  /// Net revenue from the assignment to the cut-off, in micros, and the largest user's.
  var revenue: Int128 = 0
  var largestUserRevenue: Int128 = 0
  /// The largest quantities of each metric that a few users may make.
  var largest: [LargestValues]
  var purchases = PurchaseTimes()
  var tables: GroupTallies
  var all: SegmentAccumulator
  /// By attribute, then by the number of its value; phases and days of assignment are the last of the attributes.
  var bySegment: [[UInt32: SegmentAccumulator]]

  static let parts: [TallyPart<Self>] = [
    TallyPart(\.assignedUsers), TallyPart("phases", \.assignedPhases) { _, _ in true }, TallyPart(\.measuredUsers),
    TallyPart(\.shown), TallyPart(\.revenue), TallyPart(extreme: \.largestUserRevenue, max),
    TallyPart("metrics", \.largest, count: \.metrics), TallyPart(\.purchases), TallyPart(\.tables),
    TallyPart(\.all),
    TallyPart("segments", \.bySegment, count: \.splits.count) { $2.knows(value: $0, of: $1) },
  ]

  init(metrics: Int, attributes: Int, tables plan: GroupTablePlan) {
    largest = Array(repeating: LargestValues(), count: metrics)
    tables = GroupTallies(plan)
    all = SegmentAccumulator(metrics: metrics)
    bySegment = Array(repeating: [:], count: attributes)
  }

  /// Adds a user of a partition measured from `start`, in milliseconds, but for the metrics.
  mutating func add(_ user: UserInGroup, ofPartition partition: Int, from start: Int64, _ plan: MeasurementPlan) {
    measuredUsers += 1
    tables.arrivals.add(start)
    tables.payments.add(user.history, ofPartition: partition, from: start, plan.tables.payments)
    guard !user.history.isEmpty else { return }
    if !user.history.events.isEmpty { shown.count(user.history, offeringServed: plan.offeringServed) }
    if !user.history.charges.isEmpty { addRevenue(of: user.history, from: start, plan.days) }
    tables.add(user, from: start, plan.tables)
  }

  private mutating func addRevenue(of user: UserHistory, from start: Int64, _ days: DayTimes) {
    var net: Int128 = 0
    for charge in user.charges {
      purchases.add(charge.time, from: start)
      if days.isOrderUnknown(charge.time, from: start) { purchases.ofUnknownOrder += 1 }
      if charge.time >= start { net += Int128(charge.net) }
    }
    if let last = user.charges.last {
      purchases.addBuyer(lastCharge: last.time, lastEvent: user.events.last?.time, from: start)
    }
    revenue += net
    largestUserRevenue = max(largestUserRevenue, net)
  }
}

/// The metrics' sums of a group's users: of everybody, and of those with each value of an attribute.
protocol SplitSums {
  var all: SegmentAccumulator { get set }
  /// As `GroupAccumulator.bySegment`.
  var bySegment: [[UInt32: SegmentAccumulator]] { get set }
}

extension GroupAccumulator: SplitSums {}
