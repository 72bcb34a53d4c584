import Analysis
import Domain
import Engine
import Jobs
import Publishing

/// Makes a night's result of what was measured, held against the nights before it.
struct NightAnalysis {
  let job: Job
  let nights: EarlierNights

  /// - Throws: as `Analysis.analyze`, and `EarlierNights`.
  func result(of outcome: NativeEngine.Outcome, asOf cutoff: Instant) throws -> NightResult {
    let night = Night.name(endingAt: cutoff, timezone: job.timezone)
    let ended = try Analysis.firstMetric(of: outcome.metrics).map { try nights.endedTests(before: night, metric: $0) }
    return try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff,
      last: try nights.last(before: night), ended: ended ?? [],
      looks: LookHistory(
        earlier: try nights.cutoffs(before: night), plans: try nights.plans(before: night),
        made: try nights.calls(before: night)))
  }
}
