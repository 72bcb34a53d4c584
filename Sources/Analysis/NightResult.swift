import Domain
import Jobs
import Measurement
import Statistics

/// What one night found out: everything Publishing writes, and nothing it would have to compute.
///
/// The rows of what was counted beside the metrics read as its own: `night.products` is `night.counted.products`.
@dynamicMemberLookup
package struct NightResult: Sendable {
  /// The job's name.
  package var job: String
  /// The cut-off: the night counts what happened before it.
  package var asOf: Instant
  /// The night's date, `2026-03-31`; it names the folder.
  package var night: String
  /// The reporting currency.
  package var currency: String
  /// 1 − α of every interval.
  package var confidence: Double
  /// The name of the rule that decides.
  package var decideBy: String
  /// What its owner tells the report's readers; nil where nothing.
  package var notes: String?
  /// What the store keeps is told; else proceeds assume 30 %, and nothing on the web.
  package var isCommissionReported = false
  /// Where its logs tell sales of.
  package var salesLocations = SalesLocations.stores
  /// Who is measured.
  package var enrolment = EnrolmentRules()
  /// How each metric is said, by id.
  package var wordings: [Identifier: MetricWording] = [:]
  /// The ratio or curve that a metric is decided in the place of, by the id of what is decided.
  package var decidedFor: [Identifier: Identifier] = [:]
  /// One for each offering, by id.
  package var verdicts: [OfferingVerdict] = []
  package var groupMetrics: [GroupMetricRow] = []
  package var comparisons: [ComparisonRow] = []
  /// The comparisons at the end of each day.
  package var daily = DailyComparisons([])
  /// What was counted beside the metrics.
  package var counted = GroupRows()
  /// What the prices of each offering whose groups sell at different ones do.
  package var priceResponse: [PriceResponseRow] = []
  /// What the money of such groups differs by, taken apart.
  package var revenueParts: [RevenuePartRow] = []
  package var funnels: [FunnelRow] = []
  package var funnelSplits: [FunnelSplitRow] = []
  /// How long until the metrics that make the verdicts show a lift.
  package var plans: [PlanRow] = []
  package var retention: [RetentionRow] = []
  package var renewals: [RetentionRow] = []
  package var outside: [OutsideRow] = []
  package var statistics: [StatisticsRow] = []
  /// What the primary metrics changed by since the night before; empty where there is none.
  package var changes: [ChangeRow] = []
  /// The files behind what they changed by in the time before that night's cut-off, and what that night would publish
  /// today; empty where nothing of it has changed.
  package var changedFiles: [ChangedFile] = []
  package var restated: [RestatedRow] = []
  package var checks: [Check] = []
  /// One for each input file, in the job's order.
  package var accounts: [FileAccount] = []
  /// How long after the first step the later ones may come, by the funnel's name; without those that may come any time.
  package var funnelWindows: [Identifier: Int64] = [:]
  /// What the job's owner wants to know.
  package var questions: [Question] = []
  package var rejects: any RejectedLines = NoRejects()

  /// Whether any check failed: `--strict` ends with exit code 3 then.
  package var hasFailedCheck: Bool { checks.contains { $0.status == .fail } }

  /// Takes what the primary metrics changed by since the night before, and what is to be said of that.
  package mutating func accept(_ changes: PastChanges, job: Job) {
    self.changes = changes.rows
    changedFiles = changes.files
    restated = changes.restated
    checks += CheckCatalog.checks(of: CheckedChanges(rows: changes.rows, job: job))
  }

  package subscript<Rows>(dynamicMember rows: WritableKeyPath<GroupRows, Rows>) -> Rows {
    get { counted[keyPath: rows] }
    set { counted[keyPath: rows] = newValue }
  }
}

/// Where a figure belongs: a metric in a segment of a group of an offering.
package struct CellKey: Sendable, Hashable {
  package var offering: Identifier
  package var group: Identifier
  /// `all`, or `attribute=value`.
  package var segment: Identifier
  /// The metric's id.
  package var metric: Identifier

  /// The segment that holds everybody.
  package static let everybody: Identifier = "all"

  init(offering: Identifier, group: Identifier, segment: Identifier, metric: Identifier) {
    self.offering = offering
    self.group = group
    self.segment = segment
    self.metric = metric
  }

  /// Everybody of a group.
  package init(offering: Identifier, group: Identifier, metric: Identifier) {
    self.init(offering: offering, group: group, segment: Self.everybody, metric: metric)
  }
}

/// One group's value of one metric in one segment.
package struct GroupMetricRow: Sendable {
  package var key: CellKey
  package var isBaseline: Bool
  package var kind: ResultKind
  package var isMoney: Bool
  /// Length of the metric's window; nil is `window: none`.
  package var windowDays: Double?
  /// Users the value rests on: n.
  package var users: Int128
  /// Users whose window has not ended at the cut-off.
  package var immature: Int
  /// Σy: in millionths of the currency when `isMoney`.
  package var numerator: Int128
  /// Σx of a ratio, else n.
  package var denominator: Int128
  /// In currency units when `isMoney`, like the rest.
  package var value: Double?
  package var standardError: Double?
  package var interval: Interval?
  /// Users whose value is 0, of a metric that counts them.
  package var zeroUsers: Int?
}

/// The exact sums of one metric in one segment of one group.
package struct StatisticsRow: Sendable {
  package var key: CellKey
  package var kind: MetricKind
  /// How many of the sums' units make one of the value's.
  package var scale: Int128
  package var sums: SufficientStatistics
}
