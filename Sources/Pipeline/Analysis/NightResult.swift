import Statistics

/// What one night found out: everything Publishing writes, and nothing it would have to compute.
struct NightResult: Sendable {
  /// The job's name.
  var job: String
  /// The cut-off T.
  var asOf: Instant
  /// The night's date, `2026-03-31`; it names the folder.
  var night: String
  /// The reporting currency.
  var currency: String
  /// 1 − α of every interval.
  var confidence: Double
  /// Which figures decide: those that may be read every night, or those of a single look.
  var decideBy: Job.DecideBy
  /// One for each offering, by id.
  var verdicts: [OfferingVerdict] = []
  var groupMetrics: [GroupMetricRow] = []
  var comparisons: [ComparisonRow] = []
  /// The comparisons at the end of each day, by day.
  var daily: [DailyComparisonRow] = []
  var products: [ProductRow] = []
  var chargesBy: [ChargesByRow] = []
  var funnels: [FunnelRow] = []
  var funnelSplits: [FunnelSplitRow] = []
  var states: [StateRow] = []
  var retention: [RetentionRow] = []
  var renewals: [RetentionRow] = []
  var failures: [FailureRow] = []
  var trialDays: [TrialDayRow] = []
  var outside: [OutsideRow] = []
  var displayPrices: [DisplayPriceRow] = []
  var statistics: [StatisticsRow] = []
  var checks: [Check] = []
  /// One for each input file, in the job's order.
  var accounts: [FileAccount] = []
  /// What the job's owner wants to know.
  var questions: [Question] = []
  var rejects: [Reject] = []

  /// Whether any check failed: `--strict` ends with exit code 3 then.
  var hasFailedCheck: Bool { checks.contains { $0.status == .fail } }
}

/// Where a figure belongs: a metric in a segment of a group of an offering.
struct CellKey: Sendable, Hashable {
  var offering: Identifier
  var group: Identifier
  /// `all`, or `attribute=value`.
  var segment: Identifier
  /// The metric's id.
  var metric: Identifier

  /// The segment that holds everybody.
  static let everybody: Identifier = "all"
}

/// One group's value of one metric in one segment.
struct GroupMetricRow: Sendable {
  var key: CellKey
  var isBaseline: Bool
  var kind: ResultKind
  var isMoney: Bool
  /// Length of the metric's window; nil is `window: none`.
  var windowDays: Double?
  /// Users the value rests on: n.
  var users: Int128
  /// Users whose window has not ended at T.
  var immature: Int
  /// Σy: in millionths of the currency when `isMoney`.
  var numerator: Int128
  /// Σx of a ratio, else n.
  var denominator: Int128
  /// In currency units when `isMoney`, like the rest.
  var value: Double?
  var standardError: Double?
  var interval: Interval?
  /// Users whose value is 0, of a metric that tells them.
  var zeroUsers: Int?
}

/// The exact sums of one metric in one segment of one group.
struct StatisticsRow: Sendable {
  var key: CellKey
  var kind: MetricKind
  /// How many of the sums' units make one of the value's.
  var scale: Int128
  var sums: SufficientStatistics
}
