import Domain
import Jobs
import Measurement

/// The comparisons as they would have been at the end of each day: a run at that cut-off, by the run's own code.
///
/// Estimates and p-values are that run's, adjusted for the same families; over everybody, not by segment. What
/// needs the day's checks (decisions) or each user's value at every draw (`robust:`) belongs to the night. They are
/// made when they are asked for, and never all in memory. Each is the look that a run at that cut-off would have been; an
/// offering that a night brought nothing keeps that of the night before, for there is nothing new to look at.
package struct DailyComparisons: Sendable {
  private let source: Source

  private enum Source: Sendable {
    case known([DailyComparisonRow])
    case made(
      of: DailyHistory, metrics: DecidedMetrics, job: Job, settings: AnalysisSettings, looks: LookHistory,
      nights: PlannedNights)
  }

  /// Comparisons that are known already, by day.
  package init(_ rows: [DailyComparisonRow]) {
    source = .known(rows)
  }

  init(
    of history: DailyHistory, metrics: DecidedMetrics, job: Job, settings: AnalysisSettings, looks: LookHistory,
    nights: PlannedNights = PlannedNights()
  ) {
    source = .made(of: history, metrics: metrics, job: job, settings: settings, looks: looks, nights: nights)
  }

  /// Calls `body` with each day's rows in order of the days, one row for each metric and group but the baseline.
  ///
  /// - Throws: what `body` throws; `OfferliftError` 65 for sums beyond 128 bits, 70 for sums no users can have.
  package func forEachDay(_ body: ([DailyComparisonRow]) throws -> Void) throws {
    switch source {
    case .known(let rows):
      for day in rows.chunked(by: \.asOf) { try body(Array(day)) }
    case .made(let history, let decided, let job, let settings, let looks, let nights):
      let comparing = Comparing(decided, job, settings, looks, nights)
      try history.forEachNight(making: { try comparing.compared($1, at: $0) }) { asOf, offerings in
        try body(comparing.rows(of: offerings, asOf: asOf))
      }
    }
  }

  /// What was compared by the end of a day; nothing where the instant is no such end. Days after the last one, which there
  /// are where nothing is open any more, say what that says.
  ///
  /// - Throws: as `forEachDay`.
  package func comparisons(at dayEnd: Instant) throws -> [ComparisonRow] {
    guard dayEnd.milliseconds % Instant.millisecondsPerDay == 0 else { return [] }
    switch source {
    case .known(let rows):
      let last = rows.lazy.map(\.asOf).filter { $0 <= dayEnd }.max()
      return rows.filter { $0.asOf == last }.map(\.comparison)
    case .made(let history, let decided, let job, let settings, let looks, let nights):
      // An offering that a night brought nothing is still what an earlier one made of it, so that none is left out here.
      var last: (asOf: Instant, offerings: [(asOf: Instant, offering: OfferingMeasurement)])?
      try history.forEachNight(making: { (asOf: $0, offering: $1) }) { asOf, offerings in
        if asOf <= dayEnd { last = (asOf, offerings) }
      }
      guard let last else { return [] }
      let comparing = Comparing(decided, job, settings, looks, nights)
      let compared = try last.offerings.map { try comparing.compared($0.offering, at: $0.asOf) }
      return comparing.rows(of: compared, asOf: last.asOf).map(\.comparison)
    }
  }

  /// All rows at once, for few.
  ///
  /// - Throws: as `forEachDay`.
  package func rows() throws -> [DailyComparisonRow] {
    var rows: [DailyComparisonRow] = []
    try forEachDay { rows += $0 }
    return rows
  }
}

/// Compares offerings at the ends of days.
private struct Comparing: Sendable {
  private let decided: DecidedMetrics
  private let metrics: [SharedMetric]
  private let baselines: BaselineRule
  private let settings: AnalysisSettings
  private let looks: LookHistory
  private let nights: PlannedNights
  private let isStratified: Bool

  init(
    _ decided: DecidedMetrics, _ job: Job, _ settings: AnalysisSettings, _ looks: LookHistory, _ nights: PlannedNights
  ) {
    (self.decided, self.settings, self.looks, self.nights) = (decided, settings, looks, nights)
    (metrics, baselines) = (decided.metrics.map(SharedMetric.init), BaselineRule(job: job))
    isStratified = decided.metrics.contains { $0.request.stratify?.attribute != nil }
  }

  func compared(_ offering: OfferingMeasurement, at asOf: Instant) throws -> Compared {
    var settings = settings
    settings.look = looks.look(at: asOf)
    settings.plannedLooks = nights.at(asOf, offering: offering.id)
    return try Compared(
      decided.measured(offering), metrics: metrics, baseline: baselines.baseline(measuredIn: offering) ?? "",
      settings: settings)
  }

  /// The rows of a day.
  func rows(of offerings: [Compared], asOf: Instant) -> [DailyComparisonRow] {
    // Metrics stratified by an attribute need segments: a day without any lacks members of its families that a run would have.
    let lacksStrata = isStratified && !offerings.contains(where: \.hasSegments)
    return offerings.flatMap { $0.rows(asOf: asOf, lacksStrata: lacksStrata) }
  }
}

/// One offering's comparisons at the end of a day.
private struct Compared: Sendable {
  let comparisons: [ComparisonRow]
  let hasSegments: Bool

  init(
    _ offering: OfferingMeasurement, metrics: [SharedMetric], baseline: Identifier, settings: AnalysisSettings
  ) throws {
    hasSegments = offering.groups.contains { $0.segments.count > 1 }
    let sets = ComparisonFrames.attached(
      to: try MetricSamples.sets(of: offering, metrics: metrics, baseline: baseline), settings: settings
    ).filter { $0.segment == CellKey.everybody }
    var comparisons = sets.flatMap { Comparisons.rows(of: $0, settings: settings) }
    Families.adjust(&comparisons, settings: settings)
    self.comparisons = comparisons
  }

  func rows(asOf: Instant, lacksStrata: Bool) -> [DailyComparisonRow] {
    comparisons.map { comparison in
      var row = DailyComparisonRow(asOf: asOf, comparison: comparison)
      if lacksStrata { (row.comparison.adjustedPValue, row.comparison.decidedLiftInterval) = (nil, nil) }
      return row
    }
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

extension Array {
  /// The runs of elements that agree on `part`.
  fileprivate func chunked(by part: (Element) -> some Equatable) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices where index + 1 == endIndex || part(self[index]) != part(self[index + 1]) {
      chunks.append(self[start...index])
      start = index + 1
    }
    return chunks
  }
}
