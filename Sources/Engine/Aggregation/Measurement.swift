import Domain
import Jobs
import Statistics

/// What a run has counted: everything Analysis and Publishing know of the rows.
///
/// Sorted by identifiers' bytes throughout, so that it is the same whatever the order of the input.
package struct Measurement: Sendable {
  package var offerings: [OfferingMeasurement]
  /// One for each input file, in the order of the job and of the paths.
  package var accounts: [FileAccount]
  /// Rows that were rejected, by file (index into `accounts`) and line.
  package var rejects: [Reject]
  /// Refund and reversal rows whose charge is unknown.
  package var orphanRefunds = 0
  /// What the tables say that a reader should know: products no table tells the kind of, groups without
  /// exactly one default product.
  package var notices: [Notice] = []
  /// The same sums as they would have been at the end of each UTC day since the first assignment, by day;
  /// segment `all`, and those of the attributes some metric is stratified by.
  package var daily: [DailyMeasurement] = []
  /// When events came.
  package var freshness = Freshness()
  /// Charges a thousand times, or a thousandth of, what the catalog says their product costs.
  package var oddPrices: [OddPrice] = []
  /// What users in no offering bought, where the job asks.
  package var outside: [OutsideSales] = []
  /// How calls for an offering went before the cut-off, whoever called.
  package var offeringCalls = OfferingCalls()
  /// The purchases of users nobody assigned, and how their ids and the assigned ones are written.
  package var strangers = Strangers()
  package var assignedIDs = AssignedIDs()
  /// Rows of times that cannot be, by input.
  package var earlyTimes: [String: EarlyTimes] = [:]
  /// The first assignment; nil where there is none.
  package var firstAssignment: Instant?

  package init(
    offerings: [OfferingMeasurement], accounts: [FileAccount], rejects: [Reject], orphanRefunds: Int = 0,
    notices: [Notice] = [], daily: [DailyMeasurement] = [], freshness: Freshness = Freshness(),
    oddPrices: [OddPrice] = [], outside: [OutsideSales] = [], offeringCalls: OfferingCalls = OfferingCalls(),
    strangers: Strangers = Strangers(), assignedIDs: AssignedIDs = AssignedIDs(),
    earlyTimes: [String: EarlyTimes] = [:], firstAssignment: Instant? = nil
  ) {
    self.offerings = offerings
    self.accounts = accounts
    self.rejects = rejects
    self.orphanRefunds = orphanRefunds
    self.notices = notices
    self.daily = daily
    self.freshness = freshness
    self.oddPrices = oddPrices
    self.outside = outside
    self.offeringCalls = offeringCalls
    self.strangers = strangers
    self.assignedIDs = assignedIDs
    self.earlyTimes = earlyTimes
    self.firstAssignment = firstAssignment
  }
}

/// Whether measured users' charges came before or after their time began.
package struct PurchaseTimes: Sendable {
  package var before = 0
  package var after = 0
  /// The latest, in milliseconds since 1970.
  package var latest = Int64.min

  package init(before: Int = 0, after: Int = 0, latest: Int64 = Int64.min) {
    self.before = before
    self.after = after
    self.latest = latest
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
    latest = max(latest, other.latest)
  }
}

/// What a run with an earlier cut-off would have counted.
package struct DailyMeasurement: Sendable {
  /// The cut-off of that run: the end of a UTC day.
  package var asOf: Instant
  /// Groups hold the segment `all`, and those of the attributes some metric is stratified by.
  package var offerings: [OfferingMeasurement]
}

/// When the purchase logs' events before the cut-off came, whatever became of them.
package struct Freshness: Sendable {
  /// The latest event before the cut-off; nil where there is none.
  package var lastEvent: Instant?
  /// UTC days, as days since 1970, between the first event and the cut-off that have no event at all.
  package var daysWithoutEvents: [Int64] = []
}

/// A product whose charges look as if someone mistook the unit.
package struct OddPrice: Sendable {
  package var product: Identifier
  /// The catalog's display price, as it stands there.
  package var catalogPrice: String
  /// One such charge: the smallest, in micros of `currency`.
  package var exampleMicros: Int64
  package var currency: String
  package var charges: Int
}

/// Something about the inputs that a reader of the results should know: it becomes a row of the checks.
package struct Notice: Sendable {
  package var kind: Kind
  /// Nil where it concerns the whole job.
  package var offering: Identifier?
  /// What it is about, by name; may be empty.
  package var subject = ""
  /// How many things it is about.
  package var count: Int
  /// Somebody should look; else it is only to be known.
  package var isWarning = true
  package var message: String

  /// The name of the check it becomes a row of.
  package var check: String { kind.rawValue }

  /// What a notice is of, named as its check; in the order in which they are told.
  package enum Kind: String, Sendable, CaseIterable {
    /// A group without exactly one default product.
    case catalogDefault = "catalog_default"
    /// A group that was served several lists of products.
    case catalogConflict = "catalog_conflict"
    /// Products no table tells the kind of.
    case unknownProduct = "unknown_product"
    /// Products with access at the cut-off whose period nothing tells.
    case unknownPeriod = "unknown_period"
    /// Ids that lead back to themselves.
    case identityCycle = "identity_cycle"
    /// Aliases of more than one user.
    case identityConflict = "identity_conflict"
    /// Rows that no metric is made of.
    case notMeasured = "not_measured"
    /// Columns that the format's documentation did not have.
    case unknownColumn = "unknown_column"
    /// Values that the format's documentation did not have.
    case unknownValue = "unknown_value"
  }
}

/// One offering's users and sums.
package struct OfferingMeasurement: Sendable {
  package var id: Identifier
  /// Groups that have at least one user, by id.
  package var groups: [GroupMeasurement]
  /// Users with an assignment row for the offering, whatever became of them.
  package var assignedUsers = 0
  /// Users whose rows named more than one group.
  package var multipleGroupUsers = 0
  /// Users whose first assignment lies outside the job's enrolment; they are in no other count here.
  package var notEnrolled = 0
  /// Users left out because they never saw the offering (`population: exposed`).
  var unexposedUsers = 0
  /// Users left out because they had paid before (`new_customers_only`).
  var earlierCustomers = 0
  /// Events whose logged group is not the assigned one, and all events that were logged with a group.
  package var groupMismatches = 0
  package var loggedEvents = 0
  /// Measured users whose events were logged with two or more of the offering's groups.
  package var servedTwoGroups = 0
  /// When the first measured user's time began; nil where nobody is measured.
  package var measuredFrom: Instant?
  /// Relative weights by group, from the catalog or the job; nil: equal.
  package var weights: [Identifier: Double]?
  /// Groups the catalog sells differing products or prices in.
  package var pricesDiffer = false

  package init(
    id: Identifier, groups: [GroupMeasurement], assignedUsers: Int = 0, multipleGroupUsers: Int = 0,
    notEnrolled: Int = 0, unexposedUsers: Int = 0, earlierCustomers: Int = 0, groupMismatches: Int = 0,
    loggedEvents: Int = 0, servedTwoGroups: Int = 0, measuredFrom: Instant? = nil, weights: [Identifier: Double]? = nil,
    pricesDiffer: Bool = false
  ) {
    self.id = id
    self.groups = groups
    self.assignedUsers = assignedUsers
    self.multipleGroupUsers = multipleGroupUsers
    self.notEnrolled = notEnrolled
    self.unexposedUsers = unexposedUsers
    self.earlierCustomers = earlierCustomers
    self.groupMismatches = groupMismatches
    self.loggedEvents = loggedEvents
    self.servedTwoGroups = servedTwoGroups
    self.measuredFrom = measuredFrom
    self.weights = weights
    self.pricesDiffer = pricesDiffer
  }
}

/// One group's users and sums.
package struct GroupMeasurement: Sendable {
  package var id: Identifier
  /// Users assigned to the group (those in several groups aside), before the population narrows it.
  package var assignedUsers = 0
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

/// One segment of a group.
package struct SegmentMeasurement: Sendable {
  /// `all`, or `attribute=value`.
  package var id: Identifier
  /// Measured users in it.
  package var users = 0
  /// One for each metric of the job, in the job's order; nil where the metric is not split this way.
  package var metrics: [MetricMeasurement?]

  package init(id: Identifier, users: Int = 0, metrics: [MetricMeasurement?]) {
    self.id = id
    self.users = users
    self.metrics = metrics
  }
}

/// One metric's sums over one segment of one group.
package struct MetricMeasurement: Sendable {
  package var statistics = SufficientStatistics()
  /// Users whose window has not ended at the cut-off; they are not in `statistics` unless the metric includes them.
  package var immature = 0
  /// How many users have each value, after caps, by value: for quantiles, survival and `robust: true`; else empty.
  package var values: [ValueCount] = []

  package init(statistics: SufficientStatistics = SufficientStatistics(), immature: Int = 0, values: [ValueCount] = [])
  {
    self.statistics = statistics
    self.immature = immature
    self.values = values
  }
}

/// Users with one and the same value.
package struct ValueCount: Sendable, Hashable {
  /// In the sums' units.
  package var y: Int128
  /// Of a ratio the denominator, else 0.
  package var x: Int128
  package var users: Int

  package init(y: Int128, x: Int128, users: Int) {
    self.y = y
    self.x = x
    self.users = users
  }

  /// The value without its users.
  package struct Value: Hashable {
    package var y: Int128
    package var x: Int128
  }
}

/// A metric as it was measured: what Analysis and Publishing need to know of it.
package struct MeasuredMetric: Sendable {
  package var request: MetricRequest
  package var kind: MetricKind
  /// How many of the sums' units make one of the value's: 1,000,000 for money, else 1.
  package var scale: Int128
  /// What a quantile metric asks for; its sums are those of the metric it is taken of.
  package var quantile: MetricRequest.Quantile?
  /// Its values are days until an end; its figures are a curve's.
  package var isSurvival = false
  /// It is taken at the cut-off, not over the same time for everybody.
  package var isAtCutoff = false
  /// Users whose value is 0 are told beside it.
  package var countsZeros = false

  package init(
    request: MetricRequest, kind: MetricKind, scale: Int128, quantile: MetricRequest.Quantile? = nil,
    isSurvival: Bool = false, isAtCutoff: Bool = false, countsZeros: Bool = false
  ) {
    self.request = request
    self.kind = kind
    self.scale = scale
    self.quantile = quantile
    self.isSurvival = isSurvival
    self.isAtCutoff = isAtCutoff
    self.countsZeros = countsZeros
  }

  /// The numerator is money: printed with six decimals.
  package var isMoney: Bool { scale == 1_000_000 }
}
