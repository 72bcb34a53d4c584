import Statistics

/// What a run has counted: everything Analysis and Publishing know of the rows.
///
/// Sorted by identifiers' bytes throughout, so that it is the same whatever the order of the input.
struct Measurement: Sendable {
  var offerings: [OfferingMeasurement]
  /// One for each input file, in the order of the job and of the paths.
  var accounts: [FileAccount]
  /// Rows that were rejected, by file (index into `accounts`) and line.
  var rejects: [Reject]
  /// Refund and reversal rows whose charge is unknown.
  var orphanRefunds = 0
  /// What the tables say that a reader should know: products no table tells the kind of, groups without
  /// exactly one default product.
  var notices: [Notice] = []
  /// The same sums as they would have been at the end of each UTC day since the first assignment, by day;
  /// segment `all`, and those of the attributes some metric is stratified by.
  var daily: [DailyMeasurement] = []
  /// When events came.
  var freshness = Freshness()
  /// Charges a thousand times, or a thousandth of, what the catalog says their product costs.
  var oddPrices: [OddPrice] = []
  /// What users in no offering bought, where the job asks.
  var outside: [OutsideSales] = []
  /// How calls for an offering went before T, whoever called.
  var offeringCalls = OfferingCalls()
  /// The purchases of users nobody assigned, and how their ids and the assigned ones are written.
  var strangers = Strangers()
  var assignedIDs = AssignedIDs()
  /// Rows of times that cannot be, by input.
  var earlyTimes: [String: EarlyTimes] = [:]
  /// The first assignment; nil where there is none.
  var firstAssignment: Instant?
}

/// Whether measured users' charges came before or after their time began.
struct PurchaseTimes: Sendable {
  var before = 0
  var after = 0
  /// The latest, in milliseconds since 1970.
  var latest = Int64.min

  /// Takes one of a user's whose time began at `start`.
  @inline(__always)
  mutating func add(_ time: Int64, from start: Int64) {
    if time < start { before += 1 } else { after += 1 }
    latest = max(latest, time)
  }

  mutating func merge(_ other: PurchaseTimes) {
    before += other.before
    after += other.after
    latest = max(latest, other.latest)
  }
}

/// What a run with an earlier cut-off would have counted.
struct DailyMeasurement: Sendable {
  /// That run's T: the end of a UTC day.
  var asOf: Instant
  /// Groups hold the segment `all`, and those of the attributes some metric is stratified by.
  var offerings: [OfferingMeasurement]
}

/// When the purchase logs' events before T came, whatever became of them.
struct Freshness: Sendable {
  /// The latest event before T; nil where there is none.
  var lastEvent: Instant?
  /// UTC days, as days since 1970, between the first event and T that have no event at all.
  var daysWithoutEvents: [Int64] = []
}

/// A product whose charges look as if someone mistook the unit.
struct OddPrice: Sendable {
  var product: Identifier
  /// The catalog's display price, as it stands there.
  var catalogPrice: String
  /// One such charge: the smallest, in micros of `currency`.
  var exampleMicros: Int64
  var currency: String
  var charges: Int
}

/// A remark on the inputs that becomes a row of the checks.
struct Notice: Sendable {
  /// The check's name: `unknown_product`, `catalog_default`.
  var check: String
  /// Nil where it concerns the whole job.
  var offering: Identifier?
  /// What it is about, by name; may be empty.
  var subject = ""
  /// How many things it is about.
  var count: Int
  /// Somebody should look; else it is only to be known.
  var isWarning = true
  var message: String
}

/// One offering's users and sums.
struct OfferingMeasurement: Sendable {
  var id: Identifier
  /// Groups that have at least one user, by id.
  var groups: [GroupMeasurement]
  /// Users with an assignment row for the offering, whatever became of them.
  var assignedUsers = 0
  /// Users whose rows named more than one group.
  var multipleGroupUsers = 0
  /// Users whose first assignment lies outside the job's enrolment; they are in no other count here.
  var notEnrolled = 0
  /// Users left out because they never saw the offering (`population: exposed`).
  var unexposedUsers = 0
  /// Users left out because they had paid before (`new_customers_only`).
  var earlierCustomers = 0
  /// Events whose logged group is not the assigned one, and all events that were logged with a group.
  var groupMismatches = 0
  var loggedEvents = 0
  /// Measured users whose events were logged with two or more of the offering's groups.
  var servedTwoGroups = 0
  /// When the first measured user's time began; nil where nobody is measured.
  var measuredFrom: Instant?
  /// Relative weights by group, from the catalog or the job; nil: equal.
  var weights: [Identifier: Double]?
  /// Groups the catalog sells differing products or prices in.
  var pricesDiffer = false
}

/// One group's users and sums.
struct GroupMeasurement: Sendable {
  var id: Identifier
  /// Users assigned to the group (those in several groups aside), before the population narrows it.
  var assignedUsers = 0
  /// Users in the population.
  var measuredUsers = 0
  var shown = ShownUsers()
  /// Net revenue of the group's users from their assignment to T, in micros, and the largest user's part.
  var revenue: Int128 = 0
  var largestUserRevenue: Int128 = 0
  var purchases = PurchaseTimes()
  var tables = GroupTables()
  /// `all` first, then `attribute=value` by bytes; only segments that have users of this group.
  var segments: [SegmentMeasurement]
}

/// One segment of a group.
struct SegmentMeasurement: Sendable {
  /// `all`, or `attribute=value`.
  var id: Identifier
  /// Measured users in it.
  var users = 0
  /// One for each metric of the job, in the job's order; nil where the metric is not split this way.
  var metrics: [MetricMeasurement?]
}

/// One metric's sums over one segment of one group.
struct MetricMeasurement: Sendable {
  var statistics = SufficientStatistics()
  /// Users whose window has not ended at T; they are not in `statistics` unless the metric includes them.
  var immature = 0
  /// How many users have each value, after caps, by value: for quantiles, survival and `robust: true`; else empty.
  var values: [ValueCount] = []
}

/// Users with one and the same value.
struct ValueCount: Sendable, Hashable {
  /// In the sums' units.
  var y: Int128
  /// Of a ratio the denominator, else 0.
  var x: Int128
  var users: Int

  /// The value without its users.
  struct Value: Hashable {
    var y: Int128
    var x: Int128
  }
}

/// A metric as it was measured: what Analysis and Publishing need to know of it.
struct MeasuredMetric: Sendable {
  var request: MetricRequest
  var kind: MetricKind
  /// How many of the sums' units make one of the value's: 1,000,000 for money, else 1.
  var scale: Int128
  /// What a quantile metric asks for; its sums are those of the metric it is taken of.
  var quantile: MetricRequest.Quantile?
  /// Its values are days until an end; its figures are a curve's.
  var isSurvival = false
  /// It is taken at T, not over the same time for everybody.
  var isAtCutoff = false
  /// Users whose value is 0 are told beside it.
  var countsZeros = false
  /// The numerator is money: printed with six decimals.
  var isMoney: Bool { scale == 1_000_000 }
}

/// Where every row of one file went.
struct FileAccount: Sendable {
  /// The job's name for the input: `purchases`, `assignments`, `catalog.groups` …
  var input: String
  /// The path, relative to the job file where it lies below it, else as the job wrote it.
  var file: String
  /// Size of the file as it lies on disk.
  var bytes: Int64
  /// CRC-32 of the file as it lies on disk.
  var crc32: UInt32
  var rows = 0
  var used = 0
  /// Rows not used, by reason; only reasons that occurred.
  var setAside: [SetAsideReason: Int] = [:]

  /// Rows read = rows used + rows set aside.
  var isBalanced: Bool { rows == used + setAside.values.reduce(0, +) }
}

/// A row that could not be read.
struct Reject: Sendable {
  /// Index into `Measurement.accounts`.
  var account: Int
  /// Line of the row's first byte, from 1.
  var line: Int
  /// Offset of the row's first byte in the unpacked file, from 0.
  var byteOffset: Int64
  var reason: SetAsideReason
  var detail: String
  /// The row's first 200 bytes.
  var excerpt: [UInt8]
}

/// Why a row was not used.
enum SetAsideReason: String, Sendable, CaseIterable, Comparable {
  case malformed
  case missingField = "missing_field"
  case badTime = "bad_time"
  case ambiguousTime = "ambiguous_time"
  case badPrice = "bad_price"
  case missingPrice = "missing_price"
  case badCurrency = "bad_currency"
  case noExchangeRate = "no_exchange_rate"
  case unknownEventType = "unknown_event_type"
  case unverified
  case lineTooLong = "line_too_long"
  case invalidUTF8 = "invalid_utf8"
  case sandbox
  case familyShared = "family_shared"
  case afterCutoff = "after_cutoff"
  case unassigned
  case excludedUser = "excluded_user"
  case duplicate
  case otherOffering = "other_offering"
  case corruptFile = "corrupt_file"
  case notMeasured = "not_measured"

  /// A reject goes to `rejects.csv.gz` and counts towards `max_reject_ratio`; the rest is set aside by rule.
  var isReject: Bool {
    switch self {
    case .malformed, .missingField, .badTime, .ambiguousTime, .badPrice, .missingPrice, .badCurrency,
      .noExchangeRate, .unknownEventType, .unverified, .lineTooLong, .invalidUTF8:
      true
    case .sandbox, .familyShared, .afterCutoff, .unassigned, .excludedUser, .duplicate, .otherOffering,
      .corruptFile, .notMeasured:
      false
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
