/// Which of several means may be the largest.
///
/// Gupta's subset selection (1965, "On some multiple decision (selection and ranking) rules"): every mean stays in that
/// no other is shown to exceed. One-sided at α/(k − 1) for each other (Bonferroni), so that the set holds the largest
/// with a probability of at least 1 − α, whatever the means are, and, where the test may be read every night, on all
/// nights at once.
public enum BestOf {
  /// Whether each mean may be the largest; `nil` where a standard error is missing.
  ///
  /// - Parameters:
  ///   - frames: the means.
  ///   - options: how two of them are compared; their α is that of the set.
  public static func candidates(_ frames: [MeanFrame], options: ComparisonOptions) -> [Bool]? {
    guard frames.count > 1 else { return frames.map { _ in true } }
    var each = options
    each.alpha = min(0.5, 2 * options.alpha / Double(frames.count - 1))
    var stays = frames.map { _ in true }
    for (position, frame) in frames.enumerated() {
      for other in frames.indices where other != position {
        let comparison = Comparison(baseline: frame, other: frames[other], options: each)
        guard let interval = comparison.outcome(of: options.decides)?.absInterval else { return nil }
        if interval.low > 0 { stays[position] = false }
      }
    }
    return stays
  }
}
