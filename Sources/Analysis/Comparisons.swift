import Measurement
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
    row.isDescriptive = set.metric.isDescriptive
    row.isNeverDecided = request.isNeverDecided
    // An exact test stands in for small counts, and it knows plain counts alone: no days.
    let isExact = !set.isWithinTime && hasExactTest(baseline.moments, other.moments)
    let frames = isExact ? nil : set.frames
    let options = settings.options(goal: request.goal, of: set.key(of: other.group))
    if let comparison = comparison(of: set.metric, frames, baseline, other, options) { row.fill(comparison) }
    row.effectiveEvents = EffectiveEvents(baseline.moments, other.moments, of: set.metric.resultKind)
    row.evenSpread = EvenSpread(baseline.moments, other.moments, of: set.metric.resultKind)
    if row.test != nil, frames?.method == .withinTime, set.metric.kind == .proportion { row.test = "mantel_haenszel" }
    if set.metric.standsFor == nil, let a = baseline.survival, let b = other.survival {
      row.pValue = LogRank(baseline: a.compared(request.reading), other: b.compared(request.reading))?.pValue
      row.test = row.pValue == nil ? nil : "log_rank"
    }
    row.cupedTheta = frames?.theta
    if request.guardrail, let comparison = row.comparison,
      let test = NonInferiority(of: comparison, margin: request.margin ?? 0)
    {
      row.marginPValue = test.pValue
    }
    row.outcomes = settings.rules.all.map { $0.outcome(of: row, settings: settings) }
    row.notComputable = NotComputable(in: row, of: set, baseline: baseline, other: other, settings: settings)
    return row
  }

  /// Nil where an estimate that is not a plain one cannot be computed.
  private static func comparison(
    of metric: MeasuredMetric, _ frames: ComparisonFrames?, _ baseline: MetricSamples.Sample,
    _ other: MetricSamples.Sample, _ options: ComparisonOptions
  ) -> Comparison? {
    if metric.isSurvival {
      guard let a = baseline.survival, let b = other.survival else { return nil }
      let users = metric.standsFor.map { _ in (baseline.moments.n, other.moments.n) }
      return SurvivalFigures.comparison(a, b, of: users, at: metric.request.reading, options)
    }
    if let quantile = metric.quantile {
      guard let a = baseline.values, let b = other.values else { return nil }
      return Comparison(quantile: quantile.q, baseline: a, other: b, options: options)
    }
    guard let frames else {
      return Comparison(baseline: baseline.moments, other: other.moments, options: options)
    }
    guard let a = frames.baselines[other.group] ?? frames.frames[baseline.group], let b = frames.frames[other.group]
    else { return nil }
    return Comparison(baseline: a, other: b, options: options)
  }

  /// Whether too few successes or failures are expected for the normal approximation.
  private static func hasExactTest(_ a: SampleMoments, _ b: SampleMoments) -> Bool {
    guard a.kind == .proportion else { return false }
    return ExpectedCell.smallest(a.totalY + b.totalY, a.n, b.n).map { $0 < Scarcity.minimumExpected } ?? false
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
    chanceToWin = comparison.chanceToWin
    expectedLoss = comparison.expectedLoss
    exactPValue = comparison.exactPValue
    detectableLift = comparison.mdeRel
  }
}
