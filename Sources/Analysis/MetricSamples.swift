import Domain
import Measurement
import Statistics

/// One metric in one segment of one offering, group by group: what comparisons are made from.
package struct MetricSamples: Sendable {
  package var offering: Identifier
  package var segment: Identifier
  package var metric: MeasuredMetric { shared.metric }
  private let shared: SharedMetric
  /// The group every other one is held against.
  package var baseline: Identifier
  /// The groups' samples, by id; a group without users in the segment has none.
  package var samples: [Sample]
  /// Groups are compared within phases or days of assignment.
  var isWithinTime = false
  /// What the groups are compared by; nil: their plain values.
  var frames: ComparisonFrames?

  /// One group's users as the formulas see them.
  package struct Sample: Sendable {
    package var group: Identifier
    var moments: SampleMoments
    /// Of a quantile the values it ranks; nil for other metrics, and where values were not counted.
    package var values: ValueCounts?
    /// Of a survival metric who ended or was last seen when; nil for other metrics.
    package var survival: SurvivalCounts?
    /// Users whose window has ended at the cut-off; of a quantile those it ranks, of a curve those it compares.
    var matureUsers: Int128
    /// The users of each phase or day of assignment, by its number, of a metric that is compared within them.
    var strata: [UInt32: SampleMoments] = [:]
    /// The part of the sum that the ten users who have most make, of a mean of money without a cap; nil of any other.
    var largestShare: Double?
  }

  init(
    offering: Identifier, segment: Identifier, metric: SharedMetric, baseline: Identifier, samples: [Sample]
  ) {
    (self.offering, self.segment, self.baseline, self.samples) = (offering, segment, baseline, samples)
    shared = metric
  }

  /// The baseline's sample, if anybody of it is in the segment.
  var baselineSample: Sample? { samples.first { $0.group == baseline } }

  /// Whether anybody's covariate is known: without one its sums are all zero.
  package var hasCovariate: Bool {
    metric.request.covariateMilliseconds != nil || samples.contains { $0.moments.meanC.map { $0 != 0 } ?? false }
  }

  /// Where a group's figure belongs.
  package func key(of group: Identifier) -> CellKey {
    CellKey(offering: offering, group: group, segment: segment, metric: Identifier(metric.request.id))
  }
}

/// A metric that all its sample sets have in common: a copy of a set counts one reference more, not one of each of the
/// metric's names, which threads that compare nights side by side would wait for each other to count.
final class SharedMetric: Sendable {
  let metric: MeasuredMetric

  init(_ metric: MeasuredMetric) { self.metric = metric }
}

extension MetricSamples {
  /// Everything an offering measured, one sample set for each metric of each segment.
  ///
  /// - Throws: `OfferliftError` 70 for sums that no users can have: the counting is wrong then.
  static func sets(
    of offering: OfferingMeasurement, metrics: [MeasuredMetric], baseline: Identifier
  ) throws -> [MetricSamples] {
    try sets(of: offering, metrics: metrics.map(SharedMetric.init), baseline: baseline)
  }

  /// The same of metrics that many nights have in common.
  static func sets(
    of offering: OfferingMeasurement, metrics: [SharedMetric], baseline: Identifier
  ) throws -> [MetricSamples] {
    let segments = Set(offering.groups.flatMap { $0.segments.map(\.id) }).sorted()
    return try segments.flatMap { segment in
      try metrics.indices.compactMap { index in
        let samples = try offering.groups.compactMap {
          try sample(of: $0, segment: segment, metric: metrics[index].metric, index: index)
        }
        guard !samples.isEmpty else { return nil }
        var set = MetricSamples(
          offering: offering.id, segment: segment, metric: metrics[index], baseline: baseline,
          samples: samples)
        if segment == CellKey.everybody {
          set.isWithinTime = set.metric.request.stratify == .day || !offering.weightPhases.isEmpty
        }
        return set
      }
    }
  }

  private static func sample(
    of group: GroupMeasurement, segment: Identifier, metric: MeasuredMetric, index: Int
  ) throws -> Sample? {
    guard let measured = group.segments.first(where: { $0.id == segment })?.metrics[index] else { return nil }
    do {
      let moments = try SampleMoments(measured.statistics, kind: metric.kind, scale: metric.sumScale)
      let notMature = metric.request.includesImmature ? Int128(measured.immature) : 0
      var sample = Sample(group: group.id, moments: moments, matureUsers: moments.count - notMature)
      sample.values = QuantileFigures.ranked(measured, metric)
      sample.largestShare = measured.largestShare
      if segment == CellKey.everybody { sample.strata = try strata(of: group, metric: metric, index: index) }
      if metric.isSurvival {
        let counts = SurvivalFigures.counts(measured)
        sample.survival = counts
        sample.matureUsers = Int128(counts.compared(metric.request.reading).subjects)
      }
      if let values = sample.values { sample.matureUsers = min(sample.matureUsers, Int128(values.total)) }
      return sample
    } catch {
      throw OfferliftError(
        .internalError,
        "group \(group.id), segment \(segment), metric \(metric.request.id): \(error) "
          + "No log can lead to such sums; please report this.")
    }
  }
}

extension MetricSamples {
  /// A group's users of each phase, or of each day where the metric asks for days; none where there is no such thing.
  private static func strata(
    of group: GroupMeasurement, metric: MeasuredMetric, index: Int
  ) throws -> [UInt32: SampleMoments] {
    let strata = metric.request.stratify == .day ? group.byDay : group.byPhase
    return try strata.reduce(into: [:]) { moments, stratum in
      guard let measured = stratum.metrics[index] else { return }
      moments[stratum.number] = try SampleMoments(measured.statistics, kind: metric.kind, scale: metric.sumScale)
    }
  }
}

extension MetricMeasurement {
  /// The part of the sum that the users who have most make; nil where it is not known or there is no sum.
  fileprivate var largestShare: Double? {
    guard !largest.isEmpty, statistics.sumY > 0 else { return nil }
    return Double(largest.reduce(0, +)) / Double(statistics.sumY)
  }
}

extension MeasuredMetric {
  /// The sums' units for one unit of the value; a covariate is the same quantity at another time.
  var sumScale: SumScale { SumScale(y: Int(scale), c: Int(scale)) }
}
