import Statistics

/// `stratify: country`: groups compared as if all had the same mix of countries.
///
/// Values and errors are those of the attribute's segments, weighted by their share of all groups' users; that
/// takes what differs between segments out of the error, and chance differences in mix out of the effect.
enum Stratification {
  /// The strata of a metric over everybody, from the sets of its offering; nil where the metric asks for none.
  static func frames(of set: MetricSamples, among sets: [MetricSamples]) -> ComparisonFrames? {
    guard let attribute = set.metric.request.stratify, set.segment == CellKey.everybody,
      let nobody = try? SampleMoments(SufficientStatistics(), kind: set.metric.kind, scale: set.metric.sumScale)
    else { return nil }
    let prefix = Array("\(attribute)=".utf8)
    let strata = sets.filter {
      $0.metric.request.id == set.metric.request.id && $0.offering == set.offering
        && $0.segment.utf8.starts(with: prefix)
    }
    let moments = strata.map { stratum in
      set.samples.map { sample in stratum.samples.first { $0.group == sample.group }?.moments ?? nobody }
    }
    let frames = PostStratification(strata: moments)?.frames ?? []
    return ComparisonFrames(method: .stratified, frames: set.byGroup(frames))
  }
}
