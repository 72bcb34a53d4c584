/// Everything about one group against the baseline, from the two groups' moments alone.
///
///     let a = try SampleMoments(SufficientStatistics(n: 1000, sumY: 100, sumYY: 100), kind: .proportion)
///     let b = try SampleMoments(SufficientStatistics(n: 1000, sumY: 130, sumYY: 130), kind: .proportion)
///     let comparison = Comparison(baseline: a, other: b)
///     // comparison.relLift about 0.3, comparison.pValue about 0.035
///
/// Where a standard error is missing or zero, every field that needs it is `nil`. With Fieller's interval
/// (the default), Welch's p < α, an interval of d without 0 and an interval of the lift without 0 are one and the
/// same event, for the fixed figures and for the sequential ones.
public struct Comparison: Sendable, Hashable {
  /// A's value m_A.
  public let baselineValue: Double?
  /// B's value m_B.
  public let value: Double?
  /// d = m_B − m_A.
  public let absDiff: Double?
  /// SE of d.
  public let standardError: Double?
  /// Welch and Satterthwaite's degrees of freedom; `nil` also where they are infinite.
  public let degreesOfFreedom: Double?
  /// The interval of d at 1 − α, d ± c·SE with c of Student's t.
  public let absInterval: Interval?
  /// r = d/m_A; `nil` for a baseline of zero.
  public let relLift: Double?
  /// The interval of r by the chosen method; `nil` when unbounded.
  public let relInterval: Interval?
  /// The two-sided p-value of the test named by `test`: an exact one where it applies, else Welch's. An exact
  /// one knows better than the intervals, which stay Welch's.
  public let pValue: Double?
  /// The test behind `pValue`.
  public let test: TestName
  /// The p-value of Welch's test, also where an exact one takes its place.
  public let welchPValue: Double?
  /// The exact p-value, of proportions with an expected count below 5.
  public let exactPValue: Double?
  /// The always-valid p-value.
  public let sequentialPValue: Double?
  /// The always-valid interval of d.
  public let sequentialAbsInterval: Interval?
  /// The always-valid interval of r, Fieller's.
  public let sequentialRelInterval: Interval?
  /// The probability that B is better; see ``BayesianView``. `nil` unless the baseline is positive.
  public let chanceToWin: Double?
  /// The lift lost on average by choosing B; see ``BayesianView``. `nil` unless the baseline is positive.
  public let expectedLoss: Double?
  /// The smallest lift, up or down, that the deciding test finds with the chosen power when it looks at so many users.
  public let mdeRel: Double?

  /// What everything was computed from; `nil` where a standard error is missing or zero.
  private let pair: MeanDifference?
  private let options: ComparisonOptions

  /// Compares two groups of users.
  public init(baseline: SampleMoments, other: SampleMoments, options: ComparisonOptions = .init()) {
    let exact = ExactResult(baseline, other, options.exactTest)
    let difference = other.difference(from: baseline)
    self.init(MeanFrame(baseline), MeanFrame(other), difference, options, exact)
  }

  /// Compares two estimates that are means of any sort: adjusted, stratified, quantiles.
  public init(baseline: MeanFrame, other: MeanFrame, options: ComparisonOptions = .init()) {
    self.init(baseline, other, nil, options, nil)
  }

  private init(
    _ a: MeanFrame?,
    _ b: MeanFrame?,
    _ exactDifference: Double?,
    _ options: ComparisonOptions,
    _ exact: ExactResult?
  ) {
    baselineValue = a?.mean
    value = b?.mean
    var (pair, difference): (MeanDifference?, Double?)
    if let a, let b {
      difference = exactDifference ?? (b.mean - a.mean).ifFinite
      pair = MeanDifference(a, b, difference: difference)
    }
    self.pair = pair
    self.options = options
    absDiff = difference
    relLift = difference.flatMap { d in a.flatMap { (d / $0.mean).ifFinite } }
    standardError = pair?.standardError
    degreesOfFreedom = pair?.degreesOfFreedom.ifFinite

    let fixed = pair.flatMap { TestOutcome.fixed($0, options) }
    absInterval = fixed?.absInterval
    relInterval = fixed?.relInterval
    welchPValue = fixed?.pValue
    exactPValue = exact?.pValue
    pValue = exact?.pValue ?? fixed?.pValue
    test = exact?.test ?? .welch

    let sequential = pair.flatMap { TestOutcome.sequential($0, options) }
    sequentialPValue = sequential?.pValue
    sequentialAbsInterval = sequential?.absInterval
    sequentialRelInterval = sequential?.relInterval

    let view = pair.flatMap { BayesianView($0, options) }
    chanceToWin = view?.chanceToWin
    expectedLoss = view?.expectedLoss
    mdeRel = pair.flatMap { $0.detectableLift(options) }
  }
}

extension BayesianView {
  fileprivate init?(_ pair: MeanDifference, _ options: ComparisonOptions) {
    guard pair.a.mean > 0, let lift = pair.lift, let variance = pair.deltaVariance, variance > 0 else { return nil }
    self.init(lift: lift, variance: variance, prior: options.prior, goal: options.goal)
  }
}

extension Comparison {
  /// The interval of the lift by the test that decides, with a share of α in the place of α: Fieller's.
  ///
  /// With the share that an adjustment for many tests leaves (``Adjustment/shares(_:)``) it excludes 0 exactly when
  /// the adjusted p-value of that test is below α, whatever the method chosen for `relInterval`.
  ///
  /// - Returns: `nil` where there is no standard error, and where the interval is unbounded.
  public func decidedRelInterval(shareOfAlpha share: Double = 1) -> Interval? {
    guard let pair, let multiplier = pair.multiplier(options, level: share * options.alpha) else { return nil }
    return pair.fieller(halfWidth: multiplier * pair.standardError)
  }
}

extension MeanDifference {
  /// c of the test that decides: the half-width of its interval at 1 − `level` in standard errors.
  fileprivate func multiplier(_ options: ComparisonOptions, level: Double) -> Double? {
    switch options.decides {
    case .fixed: StudentT(degreesOfFreedom: degreesOfFreedom)?.upperQuantile(level / 2)
    case .sequential:
      SequentialTest(alpha: options.alpha, tuning: options.tuning)?.multiplier(users: totalUsers, level: level)
    }
  }

  /// δ·SE/|m_A|, δ the noncentrality at which the deciding test, two-sided, has the chosen power.
  fileprivate func detectableLift(_ options: ComparisonOptions) -> Double? {
    guard let critical = multiplier(options, level: options.alpha) else { return nil }
    let isKnown = options.decides == .sequential
    let effect = DetectableEffect.noncentrality(
      degreesOfFreedom: isKnown ? .infinity : degreesOfFreedom,
      critical: critical,
      power: options.power
    )
    return effect.flatMap { ($0 * standardError / abs(a.mean)).ifFinite }
  }
}
