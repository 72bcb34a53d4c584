import Domain
import Jobs
import Measurement
import Statistics

/// Each group's own value of each metric, and the exact sums behind it.
enum GroupMetrics {
  /// One row for each group and metric of each segment.
  static func rows(
    of offering: OfferingMeasurement, metrics: [MeasuredMetric], sets: [MetricSamples],
    settings: AnalysisSettings
  ) -> [GroupMetricRow] {
    let measured = measurements(of: offering, metrics: metrics)
    return sets.flatMap { set in
      set.samples.compactMap { sample in
        let key = set.key(of: sample.group)
        return measured[key].map { row(key, of: set, sample: sample, measured: $0, settings: settings) }
      }
    }
  }

  /// The exact sums of every group and metric of each segment; a quantile and a curve have none.
  static func statistics(
    of offering: OfferingMeasurement, metrics: [MeasuredMetric]
  ) -> [StatisticsRow] {
    offering.groups.flatMap { group in
      group.segments.flatMap { segment in
        zip(metrics, segment.metrics).compactMap { metric, measured in
          guard metric.hasSums else { return nil }
          return measured.map {
            StatisticsRow(
              key: key(offering, group, segment, metric), kind: metric.kind, scale: metric.scale,
              sums: $0.statistics)
          }
        }
      }
    }
  }

  private static func row(
    _ key: CellKey, of set: MetricSamples, sample: MetricSamples.Sample, measured: MetricMeasurement,
    settings: AnalysisSettings
  ) -> GroupMetricRow {
    let sums = measured.statistics
    var row = GroupMetricRow(
      key: key, isBaseline: key.group == set.baseline, kind: set.metric.resultKind, isMoney: set.metric.isMoney,
      windowDays: set.metric.request.windowDays, users: sums.n, immature: measured.immature,
      numerator: sums.sumY, denominator: set.metric.kind == .ratio ? sums.sumX : sums.n)
    if set.metric.countsZeros, set.metric.quantile == nil {
      row.zeroUsers = measured.values.reduce(0) { $0 + ($1.y == 0 ? $1.users : 0) }
    }
    if let counts = sample.survival, set.metric.standsFor != nil {
      row.fill(
        SurvivalFigures.share(
          counts, of: sample.moments, at: set.metric.request.reading, alpha: settings.alpha))
    } else if let counts = sample.survival {
      row.fill(counts, reading: set.metric.request.reading, alpha: settings.alpha)
    } else if set.metric.quantile != nil {
      row.fill(QuantileFigures.quantile(sample, set.metric, alpha: settings.alpha), of: sample.values)
    } else {
      row.fill(Estimate(sample.moments, alpha: settings.alpha))
    }
    return row
  }

  private static func measurements(
    of offering: OfferingMeasurement, metrics: [MeasuredMetric]
  ) -> [CellKey: MetricMeasurement] {
    var found: [CellKey: MetricMeasurement] = [:]
    for group in offering.groups {
      for segment in group.segments {
        for (metric, measured) in zip(metrics, segment.metrics) {
          found[key(offering, group, segment, metric)] = measured
        }
      }
    }
    return found
  }

  private static func key(
    _ offering: OfferingMeasurement, _ group: GroupMeasurement, _ segment: SegmentMeasurement,
    _ metric: MeasuredMetric
  ) -> CellKey {
    CellKey(
      offering: offering.id, group: group.id, segment: segment.id, metric: Identifier(metric.request.id))
  }
}

extension GroupMetricRow {
  fileprivate mutating func fill(_ estimate: Estimate) {
    value = estimate.value
    standardError = estimate.standardError
    interval = estimate.interval
  }

  /// Of a curve the numerator are those who ended by the cut-off, the denominator all who began; the value is S where
  /// it is read.
  fileprivate mutating func fill(_ counts: SurvivalCounts, reading: SurvivalReading, alpha: Double) {
    numerator = Int128(counts.byDay.ended)
    denominator = Int128(counts.byDay.subjects)
    fill(SurvivalFigures.share(counts, at: reading, alpha: alpha))
  }

  fileprivate mutating func fill(_ share: SurvivalShare?) {
    value = share?.value
    standardError = share?.standardError
    interval = share?.interval
  }

  /// A quantile rests on the users that are ranked.
  fileprivate mutating func fill(_ quantile: SampleQuantile?, of ranked: ValueCounts?) {
    users = Int128(ranked?.total ?? 0)
    denominator = users
    value = quantile?.value
    standardError = quantile?.standardError
    interval = quantile?.interval
  }
}
