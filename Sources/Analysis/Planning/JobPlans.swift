import Domain
import Jobs
import Measurement
import Statistics

/// Plans a test on from what its job has measured by a night.
package struct JobPlans: Sendable {
  private let job: Job
  private let settings: AnalysisSettings
  private let arguments: PowerArguments
  /// The lift to find; nil is each metric's own.
  private let lift: Double?

  /// - Throws: `OfferliftError` 64 for arguments that cannot be, before anything is measured; 78 for the job.
  package init(_ job: Job, arguments: PowerArguments) throws {
    guard !arguments.hasFigures else {
      throw arguments.usage(
        "A job measures its baseline, groups and users itself: give the job with --lift, --alpha, --power, --decide-by, "
          + "--tuning and --adjust alone, or figures without a job.")
    }
    self.job = job
    settings = try AnalysisSettings(job)
    self.arguments = arguments
    lift = try arguments.checkedLift()
    _ = try arguments.rules(over: TestPlan.Rules(settings, groups: 2, metrics: []), adjust: job.adjust)
  }

  /// One plan for each offering that was measured, by id.
  ///
  /// - Throws: `OfferliftError` 65 where there is nothing to plan from.
  func plans(_ measurement: RunMeasurement, _ metrics: [MeasuredMetric], cutoff: Instant) throws -> [OfferingPlan] {
    guard !measurement.offerings.isEmpty else {
      throw OfferliftError(
        .badData,
        "\(job.file.lastPathComponent): no offering has users before \(cutoff.rfc3339); nothing to plan from. "
          + "Give a later --date, or plan from figures: offerlift power --help.")
    }
    let decided = DecidedMetrics(metrics)
    return try measurement.offerings.map {
      var plan = try plan(decided.measured($0), decided.metrics, cutoff: cutoff)
      plan.isOnly = measurement.offerings.count == 1
      return plan
    }
  }

  private func plan(
    _ offering: OfferingMeasurement, _ metrics: [MeasuredMetric], cutoff: Instant
  ) throws -> OfferingPlan {
    let chosen = PlannedMetrics(metrics, prices: offering.priceDifference)
    let usual = TestPlan.Rules(settings, groups: offering.groups.count, metrics: metrics)
    let rules = try arguments.rules(over: usual, adjust: job.adjust)
    var plan = OfferingPlan(job: job, offering: offering, cutoff: cutoff, rules: rules, note: chosen.note)
    guard let baseline = BaselineRule(job: job).baseline(measuredIn: offering) else { return plan }
    let sets = try MetricSamples.sets(of: offering, metrics: metrics, baseline: baseline)
    let rate = ArrivalRate(offering, cutoff: cutoff, enrolment: job.enrolment)
    plan.usersPerDay = rate.usersPerDay
    plan.metrics = chosen.metrics.map { MetricPlan($0, in: sets, offering, rate, rules: rules, lift: lift) }
    return plan
  }
}

extension TestPlan.Rules {
  /// How a job decides the test of an offering with so many groups.
  init(_ settings: AnalysisSettings, groups: Int, metrics: [MeasuredMetric]) {
    let compared = max(1, groups - 1) * max(1, metrics.filter(\.request.primary).count)
    self.init(
      alpha: settings.alpha, rules: settings.rules, rule: settings.rule, parameters: settings.parameters,
      comparisons: compared)
  }
}

/// Which metrics a plan is for: those that make the verdict; where groups sell at different prices revenue per user
/// alone.
struct PlannedMetrics {
  var metrics: [MeasuredMetric]
  var note: String?

  init(_ all: [MeasuredMetric], prices: PriceDifference?) {
    let speaking = LeadMetrics.speaking(all.map(\.request))
    metrics = all.filter { speaking.contains(Identifier($0.request.id)) }
    guard let prices else { return }
    if let revenue = LeadMetrics.revenue(all) {
      metrics = [revenue]
      note = "\(prices.sentence), so the plan is for revenue per user: \(revenue.request.id)."
    } else {
      note =
        "\(prices.withoutRevenue) Do not decide by what follows."
    }
  }
}
