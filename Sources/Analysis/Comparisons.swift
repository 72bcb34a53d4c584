import Statistics

/// Holds every group against its baseline: estimates first, then adjusted p-values, then decisions.
enum Comparisons {
  /// The estimates of one metric in one segment, a row for each group but the baseline.
  static func rows(of set: MetricSamples, settings: AnalysisSettings) -> [ComparisonRow] {
    guard let baseline = set.baselineSample else { return [] }
    return set.samples.filter { $0.group != set.baseline }.map { sample in
      row(of: set, baseline: baseline, other: sample, settings: settings)
    }
  }

  private static func row(
    of set: MetricSamples, baseline: MetricSamples.Sample, other: MetricSamples.Sample,
    settings: AnalysisSettings
  ) -> ComparisonRow {
    let request = set.metric.request
    var row = ComparisonRow(
      key: set.key(of: other.group), baseline: set.baseline, kind: set.metric.resultKind, primary: request.primary,
      goal: request.goal, isMoney: set.metric.isMoney, isGuardrail: request.guardrail, margin: request.margin,
      scarcity: Scarcity([baseline, other], of: set.metric, baseline: set.baseline))
    row.isDescriptive = request.isDescriptive
    // An exact test stands in for small counts, and it knows plain counts alone.
    let frames = hasExactTest(baseline.moments, other.moments) ? nil : set.frames
    let pair = Pair(frames, baseline, other)
    let options = settings.options(goal: request.goal)
    if let comparison = pair.comparison(options) { row.fill(comparison) }
    if row.test != nil, frames?.method == .quantile { row.test = "quantile" }
    if let a = baseline.survival, let b = other.survival {
      row.pValue = LogRank(baseline: a.compared(request.reading), other: b.compared(request.reading))?.pValue
      row.test = row.pValue == nil ? nil : "log_rank"
    }
    row.cupedTheta = frames?.theta
    if request.guardrail, let test = pair.nonInferiority(margin: request.margin ?? 0, options) {
      row.marginPValue = test.pValue
      row.sequentialMarginPValue = test.sequentialPValue
    }
    row.notComputable = NotComputable(
      in: row, of: set, baseline: baseline, other: other, by: options.liftInterval)
    return row
  }

  /// Whether too few successes or failures are expected for the normal approximation.
  private static func hasExactTest(_ a: SampleMoments, _ b: SampleMoments) -> Bool {
    guard a.kind == .proportion else { return false }
    return ExpectedCell.smallest(a.totalY + b.totalY, a.n, b.n).map { $0 < Scarcity.minimumExpected } ?? false
  }
}

/// Two groups' estimates, ready to be compared.
private struct Pair {
  /// Nil: the plain ones.
  let frames: ComparisonFrames?
  let baseline: MetricSamples.Sample
  let other: MetricSamples.Sample

  init(_ frames: ComparisonFrames?, _ baseline: MetricSamples.Sample, _ other: MetricSamples.Sample) {
    self.frames = frames
    self.baseline = baseline
    self.other = other
  }

  /// Nil where an estimate that is not a plain one cannot be computed.
  func comparison(_ options: ComparisonOptions) -> Comparison? {
    guard frames != nil else {
      return Comparison(baseline: baseline.moments, other: other.moments, options: options)
    }
    guard let a = frame(baseline), let b = frame(other) else { return nil }
    return Comparison(baseline: a, other: b, options: options)
  }

  func nonInferiority(margin: Double, _ options: ComparisonOptions) -> NonInferiority? {
    guard let a = frame(baseline), let b = frame(other) else { return nil }
    return NonInferiority(baseline: a, other: b, margin: margin, options: options)
  }

  private func frame(_ sample: MetricSamples.Sample) -> MeanFrame? {
    guard let frames else { return MeanFrame(sample.moments) }
    return frames.frames[sample.group]
  }
}

extension ComparisonRow {
  /// Takes over the figures of a comparison.
  fileprivate mutating func fill(_ comparison: Comparison) {
    self.comparison = comparison
    baselineValue = comparison.baselineValue
    value = comparison.value
    difference = comparison.absDiff
    differenceInterval = comparison.absInterval
    lift = comparison.relLift
    liftInterval = comparison.relInterval
    pValue = comparison.pValue
    test = comparison.pValue == nil ? nil : comparison.test.rawValue
    sequentialPValue = comparison.sequentialPValue
    sequentialDifferenceInterval = comparison.sequentialAbsInterval
    sequentialLiftInterval = comparison.sequentialRelInterval
    chanceToWin = comparison.chanceToWin
    expectedLoss = comparison.expectedLoss
    exactPValue = comparison.exactPValue
    detectableLift = comparison.mdeRel
  }
}
