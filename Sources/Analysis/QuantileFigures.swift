import Measurement
import Statistics

/// A quantile metric's figures: from how many users have each value, not from sums.
enum QuantileFigures {
  /// The values that are ranked: those above 0, or with `zeros: true` everybody's.
  ///
  /// Nil where the users' values were not counted.
  static func ranked(_ measured: MetricMeasurement, _ metric: MeasuredMetric) -> ValueCounts? {
    guard let quantile = metric.quantile, !measured.values.isEmpty || measured.statistics.n == 0 else { return nil }
    let values = measured.values.filter { quantile.includesZeros || $0.y > 0 }
    return counts(values, metric)
  }

  /// Value counts as the formulas take them.
  static func counts(_ values: [ValueCount], _ metric: MeasuredMetric) -> ValueCounts? {
    ValueCounts(values.map { (key: $0.y, value: $0.users) }, unit: Int(metric.scale))
  }

  /// One group's quantile with its interval.
  static func quantile(_ sample: MetricSamples.Sample, _ metric: MeasuredMetric, alpha: Double) -> SampleQuantile? {
    guard let quantile = metric.quantile, let values = sample.values else { return nil }
    return SampleQuantile(values, q: quantile.q, alpha: alpha)
  }
}
