import Domain
import Jobs
import Measurement
import Statistics

/// What a plan would bring a job that has none, in a sentence; what a margin takes, where one is asked for.
package enum PlanAdvice {
  /// The lift that is looked for.
  private static let lift = 0.2

  /// - Parameter cutoff: behind all there is.
  /// - Throws: as `MetricSamples.sets`.
  package static func sentences(
    _ measurement: RunMeasurement, _ metrics: [MeasuredMetric], job: Job, cutoff: Instant
  ) throws -> [String] {
    let (settings, decided) = (try AnalysisSettings(job), DecidedMetrics(metrics))
    guard let measured = measurement.offerings.first else { return [] }
    let offering = decided.measured(measured)
    guard let baseline = BaselineRule(job: job).baseline(measuredIn: offering) else { return [] }
    let sets = try MetricSamples.sets(of: offering, metrics: decided.metrics, baseline: baseline)
    let rate = ArrivalRate(offering, cutoff: cutoff, enrolment: job.enrolment)
    let rules = TestPlan.Rules(settings, groups: offering.groups.count, metrics: decided.metrics)
    func plan(_ metric: MeasuredMetric, _ lift: Double?, _ rules: TestPlan.Rules) -> TestPlan? {
      MetricPlan(metric, in: sets, offering, rate, rules: rules, lift: lift).plan
    }
    var sentences: [String] = []
    let chosen = PlannedMetrics(decided.metrics, prices: offering.priceDifference).metrics.first
    if job.plan == nil, job.decideBy == nil, let chosen, let plan = plan(chosen, lift, rules) {
      sentences += [planned(plan, chosen)].compactMap(\.self)
    }
    // A guardrail is held to its margin by itself, one-sided.
    var alone = rules
    (alone.comparisons, alone.alpha) = (1, min(0.5, 2 * rules.alpha))
    for metric in decided.metrics where metric.request.guardrail {
      guard let margin = metric.request.margin, let plan = plan(metric, -margin, alone),
        let users = plan.outcome(Fixed()).allUsers
      else { continue }
      let share = metric.kind == .mean ? "" : " of \(Phrase.percent(plan.baselineValue))"
      sentences.append(
        "\(metric.request.id): to show that it is not worse by \(Phrase.percent(margin))\(share) takes "
          + "\(Phrase.count(users, "user")) of all groups, read once; without margin: it warns where harm is shown.")
    }
    return sentences
  }

  private static func planned(_ plan: TestPlan, _ metric: MeasuredMetric) -> String? {
    let nights = Planned.usualNights
    guard let rule = try? plan.rules.rules.rule(named: DecisionVocabulary.planned),
      let with = plan.foundOf100(rule, nights: nights), let without = plan.foundOf100(plan.rules.rule, nights: nights),
      with > without
    else { return nil }
    return "No end is planned, so only a very clear difference is called: with as many users a true +20 % in "
      + "\(metric.request.id) would be found in \(with) of 100 such tests with plan: {nights: \(nights)}, in \(without) without."
  }
}
