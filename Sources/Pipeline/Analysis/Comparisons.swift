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
      key: set.key(of: other.group), baseline: set.baseline, kind: set.metric.kind, primary: request.primary,
      goal: request.goal, isMoney: set.metric.isMoney,
      matureUsers: min(baseline.matureUsers, other.matureUsers),
      smallestExpectedCell: smallestExpectedCell(baseline.moments, other.moments))
    let options = settings.options(goal: request.goal)
    row.fill(Comparison(baseline: baseline.moments, other: other.moments, options: options))
    row.margin = request.margin
    row.isGuardrail = request.guardrail
    if request.guardrail, let a = MeanFrame(baseline.moments), let b = MeanFrame(other.moments) {
      let test = NonInferiority(baseline: a, other: b, margin: request.margin ?? 0, options: options)
      row.marginPValue = test?.pValue
      row.sequentialMarginPValue = test?.sequentialPValue
    }
    row.gap = Gap(in: row, baseline: baseline.moments, other: other.moments)
    return row
  }

  /// The smallest of the four counts that equal shares would lead one to expect.
  private static func smallestExpectedCell(_ a: SampleMoments, _ b: SampleMoments) -> Double? {
    guard a.kind == .proportion, a.n + b.n > 0 else { return nil }
    let successes = a.totalY + b.totalY
    let rarer = min(successes, a.n + b.n - successes)
    return rarer * min(a.n, b.n) / (a.n + b.n)
  }
}

extension ComparisonRow {
  /// Takes over the figures of a comparison.
  fileprivate mutating func fill(_ comparison: Comparison) {
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
