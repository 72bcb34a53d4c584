/// Everything about one group against the baseline, from the two groups' moments alone.
///
///     let a = try SampleMoments(SufficientStatistics(n: 1000, sumY: 100, sumYY: 100), kind: .proportion)
///     let b = try SampleMoments(SufficientStatistics(n: 1000, sumY: 130, sumYY: 130), kind: .proportion)
///     let comparison = Comparison(baseline: a, other: b)
///     // comparison.relLift about 0.3, comparison.pValue about 0.035
///
/// Proportions are held against each other by the score test (``ShareDifference``), all else by Welch's. Where a standard
/// error is missing or zero, every field that needs it is `nil`. With the interval that goes with the test (the default),
/// p < α, an interval of d without 0 and an interval of the lift without 0 are one and the same event, for the figures of
/// a single look and for those of any other ``DecidingTest``.
public struct Comparison: Sendable {
  /// A's value m_A.
  public let baselineValue: Double?
  /// B's value m_B.
  public let value: Double?
  /// d = m_B − m_A.
  public let absDiff: Double?
  /// SE of d; of proportions that of no difference.
  public let standardError: Double?
  /// Welch and Satterthwaite's degrees of freedom; `nil` also where they are infinite, as the score test's are.
  public let degreesOfFreedom: Double?
  /// The interval of d at 1 − α: d ± c·SE with c of Student's t, of proportions Mee's.
  public let absInterval: Interval?
  /// r = d/m_A; `nil` for a baseline of zero.
  public let relLift: Double?
  /// The interval of r by the chosen method; `nil` when unbounded.
  public let relInterval: Interval?
  /// The two-sided p-value of the test named by `test`: an exact one where it applies, else that of the intervals. An
  /// exact one knows better than the intervals, which stay approximate.
  public let pValue: Double?
  /// The test behind `pValue`.
  public let test: TestName
  /// The p-value of the score test or Welch's, also where an exact one takes its place.
  public let approximatePValue: Double?
  /// The exact p-value, of proportions with an expected count below 5.
  public let exactPValue: Double?
  /// The probability that B is better; see ``BayesianView``. `nil` unless the baseline is positive.
  public let chanceToWin: Double?
  /// The lift lost on average by choosing B; see ``BayesianView``. `nil` unless the baseline is positive.
  public let expectedLoss: Double?
  /// The smallest lift, up or down, that the deciding test finds with the chosen power when it looks at so many users.
  public let mdeRel: Double?

  /// The test of the two groups; `nil` where a standard error is missing or zero.
  let tested: (any GroupTest)?
  /// The two groups as means; `nil` where their errors are missing or zero.
  let pair: MeanDifference?
  let options: ComparisonOptions

  /// Compares two groups of users.
  public init(baseline: SampleMoments, other: SampleMoments, options: ComparisonOptions = .init()) {
    let exact = ExactResult(baseline, other, options.exactTest)
    let means = Means(MeanFrame(baseline), MeanFrame(other), difference: other.difference(from: baseline))
    guard baseline.kind == .proportion, other.kind == .proportion else {
      self.init(means, tested: means.pair, by: .welch, options, exact)
      return
    }
    self.init(means, tested: ShareDifference(baseline, other), by: .score, options, exact)
  }

  /// Compares two estimates that are means of any sort: adjusted, stratified, read off a curve.
  public init(baseline: MeanFrame, other: MeanFrame, options: ComparisonOptions = .init()) {
    let means = Means(baseline, other, difference: nil)
    self.init(means, tested: means.pair, by: .welch, options, nil)
  }

  /// Compares the same quantile of two samples; `nil` where a sample is empty.
  public init?(
    quantile q: Double, baseline: ValueCounts, other: ValueCounts, options: ComparisonOptions = .init()
  ) {
    guard let a = SampleQuantile(baseline, q: q, alpha: options.alpha)?.frame,
      let b = SampleQuantile(other, q: q, alpha: options.alpha)?.frame
    else { return nil }
    let test = QuantileDifference(baseline, other, q: q)
    self.init(Means(a, b, difference: nil), tested: test, by: .quantile, options, nil)
  }

  private init(
    _ means: Means, tested: (any GroupTest)?, by approximate: TestName, _ options: ComparisonOptions,
    _ exact: ExactResult?
  ) {
    self.tested = tested
    pair = means.pair
    self.options = options
    baselineValue = means.a?.mean
    value = means.b?.mean
    absDiff = means.difference
    relLift = means.difference.flatMap { d in means.a.flatMap { (d / $0.mean).ifFinite } }
    standardError = tested?.standardError
    degreesOfFreedom = tested?.degreesOfFreedom

    let fixed = tested?.outcome(SingleLook(), level: options.alpha, options)
    absInterval = fixed?.absInterval
    relInterval =
      options.liftInterval == .fieller
      ? fixed?.relInterval : options.liftInterval.ownInterval(of: means.pair, alpha: options.alpha)
    approximatePValue = fixed?.pValue
    exactPValue = exact?.pValue
    pValue = exact?.pValue ?? fixed?.pValue
    test = exact?.test ?? approximate

    let view = means.pair.flatMap { BayesianView($0, options) }
    chanceToWin = view?.chanceToWin
    expectedLoss = view?.expectedLoss
    mdeRel = tested?.detectableLift(options)
  }

  /// Two groups as means, and their difference; each `nil` where it cannot be computed.
  private struct Means {
    let a: MeanFrame?
    let b: MeanFrame?
    let difference: Double?
    let pair: MeanDifference?

    /// - Parameter difference: as it follows from the sums; `nil` takes it from the means.
    init(_ a: MeanFrame?, _ b: MeanFrame?, difference: Double?) {
      (self.a, self.b) = (a, b)
      guard let a, let b else {
        (self.difference, pair) = (nil, nil)
        return
      }
      self.difference = difference ?? (b.mean - a.mean).ifFinite
      pair = MeanDifference(a, b, difference: self.difference)
    }
  }
}

extension BayesianView {
  fileprivate init?(_ pair: MeanDifference, _ options: ComparisonOptions) {
    guard pair.a.mean > 0, let lift = pair.lift, let variance = pair.deltaVariance, variance > 0 else { return nil }
    self.init(lift: lift, variance: variance, prior: options.prior, goal: options.goal)
  }
}

extension Comparison {
  /// Whether anything tells how much of the difference is chance; else there is no outcome, whatever the test.
  public var isTested: Bool { tested != nil }

  /// What a test comes to, with an interval of the lift that goes with it whatever the method chosen for `relInterval`.
  ///
  /// - Parameter level: that of its intervals; `nil` is α.
  /// - Returns: `nil` where a standard error is missing or zero.
  public func outcome(of test: any DecidingTest, level: Double? = nil) -> TestOutcome? {
    tested?.outcome(test, level: level ?? options.alpha, options)
  }

  /// N, the users of both groups; 0 where the test does not rest on them.
  public var users: Double { (tested as? any GroupDifference)?.totalUsers ?? 0 }

  /// c, the half-width in standard errors of the interval of the difference at a level; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - look: the look at which; `nil` is that of the comparison.
  ///   - test: the test by which; `nil` is the one that decides.
  public func decidingMultiplier(
    level: Double, look: Look? = nil, by test: (any DecidingTest)? = nil
  ) -> Double? {
    guard let tested = tested as? any GroupDifference else { return nil }
    let conditions = TestConditions(
      alpha: options.alpha, users: tested.totalUsers, degreesOfFreedom: tested.nu, look: look ?? options.look)
    return (test ?? options.decides).multiplier(level: level, conditions)
  }

  /// How far out in the tail the test decides, at this look and with a share of α in the place of α: the two-sided p-value
  /// that a single normal statistic has there.
  public func nominalLevel(shareOfAlpha share: Double = 1) -> Double {
    let level = share * options.alpha
    return (tested as? any GroupDifference)?.nominalLevel(level, options) ?? level
  }

  /// The interval of the lift by the test that decides, with a share of α in the place of α.
  ///
  /// With the share that an adjustment for many tests leaves (``Adjustment/shares(_:)``) it excludes 0 exactly when
  /// the adjusted p-value of that test is below α, whatever the method chosen for `relInterval`.
  ///
  /// - Returns: `nil` where there is no standard error, and where the interval is unbounded.
  public func decidedRelInterval(shareOfAlpha share: Double = 1) -> Interval? {
    outcome(of: options.decides, level: share * options.alpha)?.relInterval
  }
}
