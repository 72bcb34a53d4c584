import Domain
import Measurement

/// Which metrics' windows have ended for all users of an offering.
enum MetricWindows {
  /// Metrics with a window that has ended for every measured user; those taken at the cut-off move on.
  static func ended(in offering: OfferingMeasurement, _ metrics: [MeasuredMetric]) -> Set<Identifier> {
    let everybody = offering.groups.compactMap { group in group.segments.first { $0.id == CellKey.everybody } }
    let ended = metrics.indices.filter { index in
      let metric = metrics[index]
      guard metric.request.windowMilliseconds != nil, !metric.isAtCutoff, !metric.isSurvival else { return false }
      return everybody.allSatisfy { ($0.metrics[index]?.immature ?? 1) == 0 }
    }
    return Set(ended.map { Identifier(metrics[$0].request.id) })
  }
}
