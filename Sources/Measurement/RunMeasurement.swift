import Domain

/// What a run has counted: everything Analysis and Publishing know of the rows.
///
/// Sorted by identifiers' bytes throughout, so that it is the same whatever the order of the input.
package struct RunMeasurement: Sendable {
  package var offerings: [OfferingMeasurement]
  /// One for each input file, in the order of the job and of the paths.
  package var accounts: [FileAccount]
  /// Rows that were rejected, by file (index into `accounts`) and place.
  package var rejects: any RejectedLines
  /// Refund and reversal rows whose charge is unknown.
  package var orphanRefunds = 0
  /// The share of gross less tax that the App Store and Google Play keep where nothing tells.
  package static let assumedCommission = 0.3

  /// The products table, or the format of a log, tells what the store keeps; else it is assumed.
  package var isCommissionReported = false
  /// Where its logs tell sales of.
  package var salesLocations = SalesLocations.stores
  /// Charges and refunds that do not go together as they should.
  package var moneyCounts = MoneyCounts()
  /// Charges that two inputs tell as if they were two sales, by the inputs.
  package var reportedTwice: [ReportedTwice] = []
  /// What the tables say that a reader should know: products no table tells the kind of, groups without
  /// exactly one default product.
  package var notices: [Notice] = []
  /// The same sums as they would have been at the end of each UTC day since the first assignment, by day;
  /// segment `all`, those of the attributes some metric is stratified by, and its phases and days of assignment.
  package var daily = DailyHistory()
  /// How each group's primary metrics came from an earlier night's cut-off to this one's, where there is such a night.
  package var changes: [MeasuredChange] = []
  /// The files that night had not read and that tell of the time before its cut-off.
  package var lateFiles: [LateFile] = []
  /// When events came.
  package var freshness = Freshness()
  /// Charges a thousand times, or a thousandth of, what the catalog says their product costs.
  package var oddPrices: [PriceMismatch] = []
  /// What users in no offering bought, where the job asks.
  package var outside: [OutsideSales] = []
  /// How calls for an offering went before the cut-off, whoever called.
  package var offeringCalls = OfferingCalls()
  /// How the ids of assigned users and of purchases are written.
  package var userIDs = UserIDSpellings()
  /// Rows of times that cannot be, by input.
  package var earlyTimes: [String: EarlyTimes] = [:]
  /// The first assignment; nil where there is none.
  package var firstAssignment: Instant?

  package init(
    offerings: [OfferingMeasurement], accounts: [FileAccount], rejects: any RejectedLines = NoRejects(),
    orphanRefunds: Int = 0, notices: [Notice] = [], daily: DailyHistory = DailyHistory(),
    freshness: Freshness = Freshness(), oddPrices: [PriceMismatch] = [], outside: [OutsideSales] = [],
    offeringCalls: OfferingCalls = OfferingCalls(),
    userIDs: UserIDSpellings = UserIDSpellings(), earlyTimes: [String: EarlyTimes] = [:],
    firstAssignment: Instant? = nil
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
    self.userIDs = userIDs
    self.earlyTimes = earlyTimes
    self.firstAssignment = firstAssignment
  }
}

/// What a run with an earlier cut-off would have counted.
package struct DailyMeasurement: Sendable {
  /// The cut-off of that run: the end of a UTC day.
  package var asOf: Instant
  /// Groups hold the segment `all`, and those of the attributes some metric is stratified by.
  package var offerings: [OfferingMeasurement]

  package init(asOf: Instant, offerings: [OfferingMeasurement]) {
    self.asOf = asOf
    self.offerings = offerings
  }
}
