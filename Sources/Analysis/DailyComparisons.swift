import Domain
import Engine
import Jobs

/// The comparisons as they would have been at the end of each day: a run at that cut-off, by the run's own code.
///
/// Estimates and p-values are that run's, adjusted for the same families; over everybody, not by segment. What
/// needs the day's checks (decisions) or each user's value at every draw (`robust:`) belongs to the night.
enum DailyComparisons {
  /// One row for each day, metric and group but the baseline.
  ///
  /// - Throws: `OfferliftError` 70 for sums no users can have.
  static func rows(
    of days: [DailyMeasurement], metrics: [MeasuredMetric], job: Job
  ) throws -> [DailyComparisonRow] {
    let settings = AnalysisSettings(job)
    return try days.flatMap { day in
      var comparisons = try day.offerings.flatMap { offering in
        try Self.comparisons(of: offering, metrics: metrics, job: job, settings: settings)
      }
      Families.adjust(&comparisons, settings: settings)
      if isMissingStrata(day, metrics) {
        for index in comparisons.indices {
          (comparisons[index].adjustedPValue, comparisons[index].decidedLiftInterval) = (nil, nil)
        }
      }
      return comparisons.filter { $0.key.segment == CellKey.everybody }
        .map { DailyComparisonRow(asOf: day.asOf, comparison: $0) }
    }
  }

  /// Whether a family lacks members that a run would have: stratified metrics need segments, and days have none.
  private static func isMissingStrata(_ day: DailyMeasurement, _ metrics: [MeasuredMetric]) -> Bool {
    metrics.contains { $0.request.stratify != nil }
      && day.offerings.allSatisfy { $0.groups.allSatisfy { $0.segments.count <= 1 } }
  }

  private static func comparisons(
    of offering: OfferingMeasurement, metrics: [MeasuredMetric], job: Job, settings: AnalysisSettings
  ) throws -> [ComparisonRow] {
    let baseline = BaselineRule(job: job).baseline(measuredIn: offering) ?? ""
    let sets = ComparisonFrames.attached(
      to: try MetricSamples.sets(of: offering, metrics: metrics, baseline: baseline), settings: settings)
    return sets.flatMap { Comparisons.rows(of: $0, settings: settings) }
  }
}

/// A comparison as of the end of a day.
package struct DailyComparisonRow: Sendable {
  /// The cut-off of the run it would have been.
  package var asOf: Instant
  package var comparison: ComparisonRow

  /// The UTC day that ended then.
  package var day: CivilDate { CivilDate(day: Instant(milliseconds: asOf.milliseconds - 1).utcDay) }
}
