import Domain
import Statistics

/// The estimates a metric's groups are held against each other by, where these are not their plain values.
struct ComparisonFrames: Sendable {
  var method: Method
  /// By group; a group whose estimate cannot be computed has none.
  var frames: [Identifier: MeanFrame]
  /// The baseline's estimate as each group is held against it, where that is not the same for all.
  var baselines: [Identifier: MeanFrame] = [:]
  /// θ of a covariate's adjustment.
  var theta: Double?
  /// The share of the plain values' variance that the adjustment saves.
  var varianceSaved: Double?

  enum Method: Sendable {
    /// Means less what a covariate foretold of them (CUPED).
    case adjusted
    /// Means of strata, weighted by their share of all users.
    case stratified
    /// Means of the phases or days of assignment that both groups have users of.
    case withinTime
  }
}

extension ComparisonFrames {
  /// The sets with the estimates they are compared by: sets of one offering, every segment of it.
  static func attached(to sets: [MetricSamples], settings: AnalysisSettings) -> [MetricSamples] {
    sets.map { set in
      var set = set
      set.frames = frames(of: set, among: sets, settings)
      return set
    }
  }

  /// Nil where the plain values are compared.
  private static func frames(
    of set: MetricSamples, among sets: [MetricSamples], _ settings: AnalysisSettings
  ) -> ComparisonFrames? {
    if set.metric.isSurvival || set.metric.quantile != nil { return nil }
    if set.isWithinTime { return Stratification.withinTime(set) }
    if let strata = Stratification.frames(of: set, among: sets) { return strata }
    return set.hasCovariate ? adjusted(set) : nil
  }

  /// Adjusted by the covariate, with one θ over all groups of the segment; nil where the covariate does not
  /// vary, so that there is nothing to adjust by.
  private static func adjusted(_ set: MetricSamples) -> ComparisonFrames? {
    guard let adjustment = CovariateAdjustment(groups: set.samples.map(\.moments)) else { return nil }
    return ComparisonFrames(
      method: .adjusted, frames: set.byGroup(adjustment.frames), theta: adjustment.theta,
      varianceSaved: adjustment.varianceSaved)
  }
}

extension MetricSamples {
  /// Frames in the samples' order, by group.
  func byGroup(_ frames: [MeanFrame?]) -> [Identifier: MeanFrame] {
    var found: [Identifier: MeanFrame] = [:]
    for (sample, frame) in zip(samples, frames) { found[sample.group] = frame }
    return found
  }
}
