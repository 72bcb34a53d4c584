import Analysis
import Domain
import Foundation
import Jobs
import Measurement
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
    /// The quantile is that of users who have any.
    package var isOfPayers = false
    /// Of what is decided in a ratio's or a curve's place.
    package var perUser = MetricKind.mean
    /// Where a curve is read; nil of what is no curve.
    package var reading: SurvivalReading?
    /// Bootstrap and ranks too.
    package var isRobust = false
    /// Compared stratum by stratum.
    package var isStratified = false
    /// Compared day by day.
    package var isByDay = false
    /// Watched, not hoped for: the less the better. Sums are of what must not rise.
    package var isGuardrail = false
    /// How much worse a guardrail may be.
    package var margin: Double?

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
    /// By metric: how many users have each course of a subscription; empty where nothing asks for it.
    package var courses: [[Survival: Int]] = []
    /// By metric: what the ten users who have most have, of means of money; empty where nothing asks for it.
    package var largest: [[Int128]] = []
    /// By stratum, then by metric; empty where users are not split.
    package var strata: [[SufficientStatistics]] = []
    /// Users by the day of their assignment; empty where that is not simulated.
    package var joined: [Int] = []
    /// By that day, then by metric; empty where no metric is compared day by day.
    package var days: [[SufficientStatistics]] = []
    /// Users by the phase of dated weights that they were assigned in; empty where weights have no dates.
    package var joinedPhases: [Int] = []
    /// By that phase, then by metric.
    package var phases: [[SufficientStatistics]] = []

    package init(users: Int, sums: [SufficientStatistics]) {
      self.users = users
      self.sums = sums
    }
  }

  /// - Parameters:
  ///   - readsOnce: decide by the figures of a single look.
  ///   - adjust: how primary metrics' p-values are adjusted.
  ///   - spread: the standard deviation of true lifts that the job's `prior:` says; nil where it says nothing.
  ///   - plan: when the test is to end; nil without a plan.
  package init(
    _ metrics: [Metric], readsOnce: Bool = true, liftInterval: LiftIntervalMethod = .fieller,
    exact: ExactTest = .fisher, adjust: Adjustment = .none, spread: Double? = nil, plan: PlannedTest? = nil
  ) {
    self.metrics = metrics.map(\.measured)
    job = Job(name: "made-up", file: URL(fileURLWithPath: "/made-up.yml"))
    job.decideBy = plan != nil ? nil : readsOnce ? "fixed" : "sequential"
    job.plan = plan
    job.liftInterval = liftInterval
    job.exact = exact
    job.adjust = adjust
    job.prior = spread.map { NormalPrior(mean: 0, standardDeviation: $0) }
    job.metrics = self.metrics.map(\.request)
  }

  /// Analyzes groups that should be of equal size, or of sizes as `weights` says, or phase by phase as `phases` does.
  package func analyze(_ groups: [Group], weights: [Double]? = nil, phases: [[Double]] = []) throws -> Result {
    let names = groups.indices.map { Identifier($0 == 0 ? "control" : "group_\($0)") }
    var offering = OfferingMeasurement(id: Self.offering, groups: zip(names, groups).map(measured))
    offering.assignedUsers = groups.reduce(0) { $0 + $1.users }
    offering.weights = weights.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    offering.weightPhases = phases.enumerated().map { number, weights in
      WeightPhase(from: nil, name: "phase \(number)", weights: Dictionary(uniqueKeysWithValues: zip(names, weights)))
    }
    let night = try Analysis.analyze(
      measurement: RunMeasurement(offerings: [offering], accounts: []), metrics: metrics,
      job: job, asOf: Instant(milliseconds: 0))
    return Result(night, of: metrics)
  }

  /// Analyzes the last of several nights, with all before it as the test's days: who joined on the first of them began at its
  /// start.
  package func analyze(nights: [[Group]], weights: [Double]? = nil) throws -> Result {
    let names = (nights.first ?? []).indices.map { Identifier($0 == 0 ? "control" : "group_\($0)") }
    let measured = nights.enumerated().map { number, groups in
      var offering = OfferingMeasurement(id: Self.offering, groups: zip(names, groups).map(self.measured))
      offering.assignedUsers = groups.reduce(0) { $0 + $1.users }
      offering.measuredFrom = Instant(milliseconds: 0)
      offering.weights = weights.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
      let asOf = Instant(milliseconds: Int64(number + 1) * Instant.millisecondsPerDay)
      return DailyMeasurement(asOf: asOf, offerings: [offering])
    }
    let last = measured[measured.count - 1]
    var measurement = RunMeasurement(offerings: last.offerings, accounts: [])
    measurement.daily = DailyHistory(measured)
    let night = try Analysis.analyze(measurement: measurement, metrics: metrics, job: job, asOf: last.asOf)
    return Result(night, of: metrics)
  }

  private func measured(_ name: Identifier, _ group: Group) -> GroupMeasurement {
    var everybody = SegmentMeasurement(
      id: CellKey.everybody, users: group.users, metrics: group.sums.indices.map { cell(of: group, $0) })
    let strata = group.strata.enumerated().map { number, sums in
      SegmentMeasurement(
        id: Identifier("\(Self.attribute)=\(number)"), users: Int(sums.first?.n ?? 0),
        metrics: sums.map { MetricMeasurement(statistics: $0) })
    }
    // Nobody was assigned before the first phase.
    let phases = group.joinedPhases.isEmpty ? [] : [0] + group.joinedPhases
    everybody.phases = phases
    var measured = GroupMeasurement(
      id: name, assignedUsers: group.users, measuredUsers: group.users, segments: [everybody] + strata)
    measured.tables.arrivals = group.joined.enumerated().filter { $0.element > 0 }.map {
      ArrivalDay(day: Int64($0.offset), users: $0.element)
    }
    measured.byDay = byTime(group.days)
    measured.assignedPhases = phases
    measured.byPhase = byTime(group.phases)
    return measured
  }

  private func byTime(_ sums: [[SufficientStatistics]]) -> [StratumMeasurement] {
    sums.enumerated().map { number, sums in
      StratumMeasurement(number: UInt32(number), metrics: sums.map { MetricMeasurement(statistics: $0) })
    }
  }

  private func cell(of group: Group, _ index: Int) -> MetricMeasurement {
    let values = index < group.values.count ? group.values[index] : [:]
    let courses = index < group.courses.count ? group.courses[index] : [:]
    var cell = MetricMeasurement(
      statistics: group.sums[index],
      values: values.sorted { $0.key < $1.key }.map { ValueCount(y: $0.key, x: 0, users: $0.value) }
        + courses.map { ValueCount($0.key, users: $0.value) })
    cell.largest = index < group.largest.count ? group.largest[index] : []
    return cell
  }
}

extension SimulatedNight.Metric {
  fileprivate var measured: MeasuredMetric {
    var request = MetricRequest(name: name, id: name, line: 1)
    request.primary = isPrimary
    // Without a goal a metric that is not primary is only described.
    request.statedGoal = isGuardrail ? .decrease : .increase
    (request.guardrail, request.margin) = (isGuardrail, margin)
    request.covariateMilliseconds = hasCovariate ? Instant.millisecondsPerDay : nil
    request.robust = isRobust
    request.stratify = isByDay ? .day : isStratified ? .attribute(SimulatedNight.attribute) : nil
    request.quantile = quantile.map { MetricRequest.Quantile(of: name, q: $0, includesZeros: !isOfPayers) }
    if let reading { request.reading = reading }
    return MeasuredMetric(
      request: request, kind: kind, scale: isMoney ? 1_000_000 : 1, quantile: request.quantile,
      isSurvival: reading != nil,
      perUser: MeasuredMetric.PerUser(kind: perUser, wording: MetricWording("\(name) per user"), ofThose: "by \(name)"))
  }
}
