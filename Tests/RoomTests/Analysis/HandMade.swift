import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Hand-made measurements: what Aggregation would have counted, in a few words.
enum HandMade {
  static let conversion = metric("paying_conversion_7d", .proportion, primary: true)
  static let revenue = metric("revenue_net_30d", .mean, scale: 1_000_000)

  static func metric(
    _ id: String, _ kind: MetricKind, scale: Int128 = 1, primary: Bool = false,
    goal: Goal = .increase
  ) -> MeasuredMetric {
    var request = MetricRequest(name: id, id: id, line: 1)
    request.windowMilliseconds = 7 * Instant.millisecondsPerDay
    request.primary = primary
    request.statedGoal = goal == .decrease ? goal : nil
    return MeasuredMetric(request: request, kind: kind, scale: scale)
  }

  /// A job that decides by a single look, so that tests can reason with ordinary p-values.
  static func job(_ change: (inout Job) -> Void = { _ in }) -> Job {
    var job = Job(name: "test-job", file: URL(fileURLWithPath: "/jobs/test-job.yml"))
    job.decideBy = "fixed"
    change(&job)
    return job
  }

  /// Sums of `n` users of whom `successes` converted.
  static func proportion(_ successes: Int128, of n: Int128) -> MetricMeasurement {
    MetricMeasurement(statistics: SufficientStatistics(n: n, sumY: successes, sumYY: successes))
  }

  /// Sums of `n` users of whom `payers` paid `units` of the currency each.
  static func money(_ payers: Int128, paying units: Int128, of n: Int128) -> MetricMeasurement {
    let micros = units * 1_000_000
    return MetricMeasurement(
      statistics: SufficientStatistics(n: n, sumY: payers * micros, sumYY: payers * micros * micros))
  }

  /// A group all of whose users are in segment `all`.
  static func group(_ id: Identifier, users: Int, _ metrics: MetricMeasurement...) -> GroupMeasurement {
    let everybody = SegmentMeasurement(id: "all", users: users, metrics: metrics)
    return GroupMeasurement(id: id, assignedUsers: users, measuredUsers: users, segments: [everybody])
  }

  static func offering(_ groups: GroupMeasurement..., id: Identifier = "spring") -> OfferingMeasurement {
    let users = groups.reduce(0) { $0 + $1.assignedUsers }
    return OfferingMeasurement(id: id, groups: groups, assignedUsers: users)
  }

  static func measurement(_ offerings: OfferingMeasurement...) -> RunMeasurement {
    RunMeasurement(offerings: offerings, accounts: [account()], rejects: RejectedRows())
  }

  static func account(input: String = "purchases", file: String = "data/purchases.jsonl.gz") -> FileAccount {
    FileAccount(input: input, file: file, bytes: 1234, crc32: 0xCBF4_3926, rows: 100, outcomes: RowOutcomes(used: 100))
  }

  static let asOf = Instant(milliseconds: 1_775_001_600_000)  // 2026-04-01T00:00:00Z

  /// How the figures of a job are computed, which is decided by one of the rules there are.
  static func settings(_ job: Job) -> AnalysisSettings {
    do {
      return try AnalysisSettings(job)
    } catch {
      Issue.record(error)
      return AnalysisSettings()
    }
  }

  /// An offering for checks that take no samples.
  static func checked(_ offering: OfferingMeasurement, job: Job) -> CheckedOffering {
    CheckedOffering(offering: offering, sets: [], job: job, settings: settings(job))
  }

  /// Analyzes one offering.
  static func night(
    _ offering: OfferingMeasurement, metrics: [MeasuredMetric], job: Job = job()
  ) throws -> NightResult {
    let night = try Analysis.analyze(measurement: measurement(offering), metrics: metrics, job: job, asOf: asOf)
    #expect(night.unknownChecks.isEmpty)
    return night
  }
}

extension NightResult {
  /// Names of its checks that the catalog does not have.
  var unknownChecks: Set<String> { Set(checks.map(\.name)).subtracting(CheckCatalog.vocabulary.all.map(\.name)) }

  /// The comparison of one group's metric over everybody.
  func comparison(_ group: Identifier, _ metric: MeasuredMetric) throws -> ComparisonRow {
    try #require(
      comparisons.first {
        $0.key.group == group && $0.key.metric == Identifier(metric.request.id) && $0.key.segment == "all"
      })
  }

  func checks(named name: String) -> [Check] { checks.filter { $0.name == name } }
}

extension GroupRows {
  /// The rows of one offering.
  init(of offering: OfferingMeasurement) {
    self.init()
    add(offering)
  }
}
