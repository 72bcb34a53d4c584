import Statistics

/// One group's own value of one metric in one segment, where only sums are known.
package struct GroupEstimate: Sendable {
  package var key: CellKey
  package var isBaseline: Bool
  package var kind: ResultKind
  package var users: Int128
  package var estimate: Estimate

  package static func all(of set: MetricSamples, alpha: Double) -> [GroupEstimate] {
    set.samples.map { sample in
      GroupEstimate(
        key: set.key(of: sample.group), isBaseline: sample.group == set.baseline, kind: set.metric.resultKind,
        users: sample.moments.count, estimate: Estimate(sample.moments, alpha: alpha))
    }
  }
}
