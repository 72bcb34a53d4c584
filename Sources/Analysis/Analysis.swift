import Domain
import Jobs
import Measurement
import Statistics

/// Turns what was counted into figures, checks and verdicts: a pure function, no clock and no files.
package enum Analysis {
  /// Analyzes one night.
  ///
  /// - Parameters:
  ///   - last: the latest night before it that was published.
  ///   - ended: the job's tests that ended before it.
  ///   - looks: when the job's figures were looked at before.
  ///   - rules: those that figures are computed by, the job's own among them.
  ///
  /// - Throws: `OfferliftError` 65 if the rows of a file do not add up, 70 for sums no users can have, 78 for a job that
  ///   is decided by none of the rules.
  package static func analyze(
    measurement: RunMeasurement, metrics measured: [MeasuredMetric], job: Job, asOf: Instant, last: EarlierNight? = nil,
    ended: [EndedTest] = [], looks: LookHistory = LookHistory(), rules: DecisionCatalog = .product
  ) throws -> NightResult {
    var settings = try AnalysisSettings(job, rules: rules)
    settings.look = looks.look(at: asOf)
    try AccountingCheck.verify(measurement.accounts)
    let decided = DecidedMetrics(measured)
    var night = NightResult(
      job: job.name, asOf: asOf, night: Night.name(endingAt: asOf, timezone: job.timezone),
      currency: job.currency, confidence: job.confidence, decideBy: settings.rule.name,
      accounts: measurement.accounts, questions: job.questions, rejects: measurement.rejects)
    night.notes = job.notes
    night.isCommissionReported = measurement.isCommissionReported
    night.salesLocations = measurement.salesLocations
    night.enrolment = EnrolmentRules(job)
    night.funnelWindows = job.funnels.reduce(into: [:]) { $0[Identifier($1.name)] = $1.withinMilliseconds }
    night.wordings = Dictionary(decided.metrics.map { (Identifier($0.request.id), $0.wording) }) { first, _ in first }
    for metric in decided.metrics { night.decidedFor[Identifier(metric.request.id)] = metric.standsFor?.metric }
    night.checks =
      CheckCatalog.checks(ofInputs: measurement, job: job)
      + CheckCatalog.checks(of: CheckedNight(measurement: measurement, job: job, asOf: asOf, last: last))
    night.outside = OutsideRow.rows(of: measurement)
    let failed = night.checks.filter { $0.status == .fail }
    let prior = LiftPrior(job, ended: ended)
    let nights = try PlannedNights(of: measurement, metrics: decided, job: job, asOf: asOf)
    night.daily = DailyComparisons(
      of: measurement.daily, metrics: decided, job: job, settings: settings, looks: looks, nights: nights)
    let started = measurement.offerings.reduce(into: [:]) { $0[$1.id] = $1.measuredFrom }
    let shown = try ShownBefore(night.daily, before: asOf, started: started, settings: settings)
    for offering in measurement.offerings {
      night.statistics += GroupMetrics.statistics(of: offering, metrics: measured)
      // What failed of another offering is no doubt of this one.
      let own = failed.filter { ($0.offering ?? offering.id) == offering.id }
      settings.plannedLooks = nights.at(asOf, offering: offering.id)
      try analyze(
        decided.measured(offering), metrics: decided.metrics, job: job, settings: settings, prior: prior,
        shown: shown, looks: looks, failedBefore: own, into: &night)
    }
    night.checks += CheckCatalog.checks(ofExposureIn: measurement.offerings, job: job)
    return night
  }

  /// The id of the first metric that makes the verdicts; nil of a job without metrics.
  package static func firstMetric(of metrics: [MeasuredMetric]) -> Identifier? {
    let decided = DecidedMetrics(metrics)
    return decided.metrics.map { Identifier($0.request.id) }.first { decided.speaking.contains($0) }
  }

  private static func analyze(
    _ offering: OfferingMeasurement, metrics: [MeasuredMetric], job: Job, settings: AnalysisSettings, prior: LiftPrior,
    shown: ShownBefore, looks: LookHistory, failedBefore: [Check], into night: inout NightResult
  ) throws {
    let baseline = BaselineRule(job: job).baseline(measuredIn: offering)
    let sets = ComparisonFrames.attached(
      to: try MetricSamples.sets(of: offering, metrics: metrics, baseline: baseline ?? ""), settings: settings)
    let progress = PlanProgress(offering, job: job, asOf: night.asOf)
    let plans = PlanRow.rows(
      of: offering, metrics: metrics, sets: sets, job: job, settings: settings, asOf: night.asOf, progress: progress)
    night.plans += plans
    let groups = GroupMetrics.rows(of: offering, metrics: metrics, sets: sets, settings: settings)
    let verdicts = Verdicts(
      metrics: metrics, settings: settings, currency: job.currency, prior: prior,
      isCommissionReported: night.isCommissionReported, salesLocations: night.salesLocations, asOf: night.asOf,
      planned: job.planText.flatMap { looks.sentence(of: $0, night: night.night) }, made: looks.made,
      users: job.population == .exposed ? "users who saw the paywall" : "users", timezone: job.timezone)
    let rate = ArrivalRate(offering, cutoff: night.asOf, enrolment: job.enrolment)
    var comparisons = sets.flatMap { Comparisons.rows(of: $0, settings: settings) }
    LeadMetrics.mark(&comparisons, speaking: Set(LeadMetrics.speaking(metrics.map(\.request))))
    Robustness.fill(&comparisons, from: offering, metrics: metrics, settings: settings)
    Families.adjust(&comparisons, settings: settings)
    let checks =
      CheckCatalog.checks(of: CheckedOffering(offering: offering, sets: sets, job: job, settings: settings))
      + metrics.flatMap {
        CheckCatalog.checks(of: CheckedMetric($0, of: offering.id, sets, groups, comparisons, job: job))
      }
      + CheckCatalog.checks(of: CheckedComparisons(offering: offering, metrics: metrics, baseline: baseline))
    let isUntrusted = !failedBefore.isEmpty || checks.contains { $0.status == .fail }
    let untrusted: Set<Identifier> = isUntrusted ? [offering.id] : []
    let days = WholeDays(offering.measuredFrom.map { [offering.id: $0] } ?? [:], at: night.asOf)
    Decisions.decide(&comparisons, untrusted: untrusted, days: days, settings: settings)
    shown.apply(to: &comparisons, at: night.asOf)

    night.verdicts.append(
      verdicts.verdict(
        on: offering, baseline: baseline, comparisons: comparisons, checks: failedBefore + checks, plans: plans,
        usersPerDay: rate.usersPerDay, joining: Joining(offering, cutoff: night.asOf), progress: progress))
    if let baseline,
      let test = PriceTest(
        offering, baseline: baseline, job: job, settings: settings, isUntrusted: isUntrusted)
    {
      night.priceResponse += test.response
      night.revenueParts += test.parts
    }
    night.groupMetrics += groups
    night.counted.add(offering)
    night.funnels += Funnels.rows(
      of: offering, funnels: job.funnels, baseline: baseline, settings: settings)
    night.funnelSplits += Funnels.splits(of: offering, funnels: job.funnels)
    night.retention += RetentionCurves.byDay(of: sets, settings: settings)
    night.renewals += RetentionCurves.byRenewals(of: sets, settings: settings)
    night.comparisons += comparisons
    night.checks += checks
  }
}
