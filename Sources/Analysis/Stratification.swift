import Statistics

/// Groups compared as if they had the same mix of users.
///
/// `stratify: country`: as if all had the same mix of countries.
/// Values and errors are those of the attribute's segments, weighted by their share of all groups' users; that
/// takes what differs between segments out of the error, and chance differences in mix out of the effect.
/// `stratify: day`, and dated weights: each group against the baseline among users who were assigned on the same days, or
/// in the same phases.
enum Stratification {
  /// The strata of a metric over everybody, from the sets of its offering; nil where the metric asks for none.
  static func frames(of set: MetricSamples, among sets: [MetricSamples]) -> ComparisonFrames? {
    guard let attribute = set.metric.request.stratify?.attribute, set.segment == CellKey.everybody,
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

  /// Pair by pair: shares of groups that change from day to day are another mix of days for each of them.
  static func withinTime(_ set: MetricSamples) -> ComparisonFrames {
    var frames = ComparisonFrames(method: .withinTime, frames: [:])
    guard let baseline = set.baselineSample else { return frames }
    for sample in set.samples where sample.group != set.baseline {
      let common = baseline.strata.keys.filter { sample.strata[$0] != nil }.sorted()
      let strata = common.compactMap { number in
        baseline.strata[number].flatMap { a in sample.strata[number].map { (baseline: a, other: $0) } }
      }
      guard let pair = MantelHaenszel(strata: strata) else { continue }
      (frames.baselines[sample.group], frames.frames[sample.group]) = (pair.baseline, pair.other)
    }
    return frames
  }
}
