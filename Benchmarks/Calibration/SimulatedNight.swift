import Analysis
import Domain
import Engine
import Foundation
import Jobs
import Simulation
import Statistics

/// A night whose sums were made up, analyzed as a run's are: what `Benchmarks/Calibration` puts to the proof.
///
/// One offering with a baseline and other groups, everybody mature. Nothing here computes: it only dresses sums
/// as a measurement and hands back what Analysis made of them.
package struct SimulatedNight: Sendable {
  private let metrics: [MeasuredMetric]
  private var job: Job
  private static let offering: Identifier = "made_up"
  fileprivate static let attribute = "stratum"

  /// A metric of the made-up test.
  package struct Metric: Sendable {
    package var name: String
    var kind: MetricKind
    /// Sums are in millionths.
    package var isMoney = false
    package var isPrimary = true
    /// The sums of c are those of a covariate.
    package var hasCovariate = false
    /// The quantile to take of the values, over all users.
    package var quantile: Double?
    /// Bootstrap and ranks too.
    package var isRobust = false
    /// Compared stratum by stratum.
    package var isStratified = false
    /// Compared day by day.
    package var isByDay = false

    package init(_ name: String, _ kind: MetricKind) {
      self.name = name
      self.kind = kind
    }
  }

  /// One group's users; the first is the baseline.
  package struct Group: Sendable {
    package var users: Int
    /// By metric.
    package var sums: [SufficientStatistics]
    /// By metric: how many users have each value; empty where nothing asks for it.
    package var values: [[Int128: Int]] = []
    /// By stratum, then by metric; empty where users are not split.
    package var strata: [[SufficientStatistics]] = []
    /// Users by the day of their assignment; empty where that is not simulated.
    package var joined: [Int] = []
    /// By that day, then by metric; empty where no metric is compared day by day.
    package var days: [[SufficientStatistics]] = []

    package init(users: Int, sums: [SufficientStatistics]) {
      self.users = users
      self.sums = sums
    }
  }

  /// - Parameters:
  ///   - readsOnce: decide by the figures of a single look.
  ///   - adjust: how primary metrics' p-values are adjusted.
  package init(
    _ metrics: [Metric], readsOnce: Bool = true, liftInterval: LiftIntervalMethod = .fieller,
    exact: ExactTest = .fisher, adjust: Adjustment = .none
  ) {
    self.metrics = metrics.map(\.measured)
    job = Job(name: "made-up", file: URL(fileURLWithPath: "/made-up.yml"))
    job.decideBy = readsOnce ? .fixed : .sequential
    job.liftInterval = liftInterval
    job.exact = exact
    job.adjust = adjust
    job.metrics = self.metrics.map(\.request)
  }

  /// What Analysis made of it.
  package struct Result: Sendable {
    /// By metric, then by group.
    package var values: [[Value]]
    /// By metric, then by group without the baseline.
    package var comparisons: [[Row]]
    /// Names of the checks that failed.
    package var failedChecks: Set<String>
    /// Names of those whose p-value is too small to believe, whether they fail by it or warn.
    package var suspiciousChecks: Set<String>
  }

  /// One group's value of one metric.
  package struct Value: Sendable {
    package var value: Double?
    package var interval: Interval?
  }

  /// One group held against the baseline.
  package struct Row: Sendable {
    package var pValue: Double?
    package var adjustedPValue: Double?
    package var sequentialPValue: Double?
    package var difference: Interval?
    package var lift: Interval?
    package var sequentialDifference: Interval?
    package var sequentialLift: Interval?
    package var bootstrapDifference: Interval?
    package var bootstrapLift: Interval?
    package var test: String?
    /// The decision is `better` or `worse`.
    package var isCalled: Bool
  }

  /// Analyzes groups that should be of equal size, or of sizes as `weights` says.
  package func analyze(_ groups: [Group], weights: [Double]? = nil) throws -> Result {
    let names = groups.indices.map { Identifier($0 == 0 ? "control" : "group_\($0)") }
    var offering = OfferingMeasurement(id: Self.offering, groups: zip(names, groups).map(measured))
    offering.assignedUsers = groups.reduce(0) { $0 + $1.users }
    offering.weights = weights.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    let night = try Analysis.analyze(
      measurement: Measurement(offerings: [offering], accounts: [], rejects: RejectedRows()), metrics: metrics,
      job: job, asOf: Instant(milliseconds: 0))
    return result(night)
  }

  private func measured(_ name: Identifier, _ group: Group) -> GroupMeasurement {
    let cells = group.sums.indices.map { index in
      let values = index < group.values.count ? group.values[index] : [:]
      return MetricMeasurement(
        statistics: group.sums[index],
        values: values.sorted { $0.key < $1.key }.map { ValueCount(y: $0.key, x: 0, users: $0.value) })
    }
    let everybody = SegmentMeasurement(id: CellKey.everybody, users: group.users, metrics: cells)
    let strata = group.strata.enumerated().map { number, sums in
      SegmentMeasurement(
        id: Identifier("\(Self.attribute)=\(number)"), users: Int(sums.first?.n ?? 0),
        metrics: sums.map { MetricMeasurement(statistics: $0) })
    }
    var measured = GroupMeasurement(
      id: name, assignedUsers: group.users, measuredUsers: group.users, segments: [everybody] + strata)
    measured.tables.arrivals = group.joined.enumerated().filter { $0.element > 0 }.map {
      ArrivalDay(day: Int64($0.offset), users: $0.element)
    }
    measured.byDay = group.days.enumerated().map { day, sums in
      StratumMeasurement(number: UInt32(day), metrics: sums.map { MetricMeasurement(statistics: $0) })
    }
    return measured
  }

  private func result(_ night: NightResult) -> Result {
    var result = Result(values: [], comparisons: [], failedChecks: [], suspiciousChecks: [])
    for metric in metrics {
      let id = Identifier(metric.request.id)
      result.values.append(
        night.groupMetrics.filter { Self.isOverall($0.key, id) }.map {
          Value(value: $0.value, interval: $0.interval)
        })
      result.comparisons.append(night.comparisons.filter { Self.isOverall($0.key, id) }.map(Row.init))
    }
    result.failedChecks = Set(night.checks.filter { $0.status == .fail }.map(\.name))
    result.suspiciousChecks = Set(
      night.checks.filter { $0.pValue.map { $0 < SampleRatioLimits.suspectBelow } ?? false }.map(\.name))
    return result
  }

  private static func isOverall(_ key: CellKey, _ metric: Identifier) -> Bool {
    key.metric == metric && key.segment == CellKey.everybody
  }
}

extension SimulatedNight.Metric {
  fileprivate var measured: MeasuredMetric {
    var request = MetricRequest(name: name, id: name, line: 1)
    request.primary = isPrimary
    request.covariateMilliseconds = hasCovariate ? Instant.millisecondsPerDay : nil
    request.robust = isRobust
    request.stratify = isByDay ? .day : isStratified ? .attribute(SimulatedNight.attribute) : nil
    request.quantile = quantile.map { MetricRequest.Quantile(of: name, q: $0, includesZeros: true) }
    return MeasuredMetric(
      request: request, kind: kind, scale: isMoney ? 1_000_000 : 1, quantile: request.quantile)
  }
}

extension SimulatedNight.Row {
  fileprivate init(_ row: ComparisonRow) {
    self.init(
      pValue: row.pValue, adjustedPValue: row.adjustedPValue, sequentialPValue: row.sequentialPValue,
      difference: row.differenceInterval, lift: row.liftInterval,
      sequentialDifference: row.sequentialDifferenceInterval, sequentialLift: row.sequentialLiftInterval,
      bootstrapDifference: row.bootstrapDifferenceInterval, bootstrapLift: row.bootstrapLiftInterval,
      test: row.test, isCalled: row.decision == .better || row.decision == .worse)
  }
}
