import Statistics

/// One group's own value of one metric in one segment, where only sums are known.
struct GroupEstimate: Sendable {
  var key: CellKey
  var isBaseline: Bool
  var kind: ResultKind
  var users: Int128
  var estimate: Estimate

  static func all(of set: MetricSamples, alpha: Double) -> [GroupEstimate] {
    set.samples.map { sample in
      GroupEstimate(
        key: set.key(of: sample.group), isBaseline: sample.group == set.baseline, kind: set.metric.resultKind,
        users: sample.moments.count, estimate: Estimate(sample.moments, alpha: alpha))
    }
  }
}
