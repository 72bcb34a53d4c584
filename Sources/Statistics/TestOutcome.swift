/// What a test of two groups comes to: a p-value, and the intervals of the difference and of the lift that go with it.
struct TestOutcome {
  let pValue: Double?
  let absInterval: Interval?
  let relInterval: Interval?

  /// Welch's t test, with c the t quantile.
  static func fixed(_ pair: MeanDifference, _ options: ComparisonOptions) -> TestOutcome? {
    guard let distribution = StudentT(degreesOfFreedom: pair.degreesOfFreedom),
      let quantile = distribution.upperQuantile(options.alpha / 2)
    else { return nil }
    let relInterval = options.liftInterval.interval(of: pair, quantile: quantile, alpha: options.alpha)
    let pValue = distribution.twoSided(pair.statistic)
    return TestOutcome(pair, quantile: quantile, pValue: pValue, alpha: options.alpha, relInterval: relInterval)
  }

  /// The always-valid test, with c the confidence sequence's half-width in standard errors.
  static func sequential(_ pair: MeanDifference, _ options: ComparisonOptions) -> TestOutcome? {
    guard let test = SequentialTest(alpha: options.alpha, tuning: options.tuning),
      let multiplier = test.multiplier(users: pair.totalUsers)
    else { return nil }
    return TestOutcome(
      pair,
      quantile: multiplier,
      pValue: test.pValue(statistic: pair.statistic, users: pair.totalUsers),
      alpha: options.alpha,
      relInterval: pair.fieller(halfWidth: multiplier * pair.standardError)
    )
  }

  private init(
    _ pair: MeanDifference,
    quantile: Double,
    pValue: Double?,
    alpha: Double,
    relInterval: Interval?
  ) {
    let halfWidth = quantile * pair.standardError
    let excludesZero = abs(pair.difference) > halfWidth
    absInterval = Interval(pair.difference - halfWidth, pair.difference + halfWidth)
    self.relInterval = relInterval
    self.pValue = pValue.map { Self.reconciled($0, isSignificant: excludesZero, alpha: alpha) }
  }

  /// Quantile and tail are inverse only up to rounding: where d lies on the very edge, the interval decides.
  private static func reconciled(_ pValue: Double, isSignificant: Bool, alpha: Double) -> Double {
    if isSignificant { return min(pValue, alpha.nextDown) }
    return max(pValue, alpha)
  }
}

/// The exact p-value of two proportions, where the normal approximation has too little to go on.
struct ExactResult {
  let pValue: Double
  let test: TestName

  /// `nil` unless both are proportions and a cell of their 2×2 table is expected below 5.
  init?(_ baseline: SampleMoments, _ other: SampleMoments, _ method: ExactTest) {
    guard let successesA = baseline.successes.flatMap(Int.init(exactly:)),
      let successesB = other.successes.flatMap(Int.init(exactly:)),
      let usersA = Int(exactly: baseline.count), let usersB = Int(exactly: other.count),
      let fisher = FisherTest(
        successesA: successesA,
        usersA: usersA,
        successesB: successesB,
        usersB: usersB
      ),
      fisher.smallestExpected < 5
    else { return nil }
    let boschloo =
      method == .boschloo
      ? BoschlooTest(successesA: successesA, usersA: usersA, successesB: successesB, usersB: usersB) : nil
    pValue = boschloo?.twoSided ?? fisher.twoSided
    test = boschloo == nil ? .fisher : .boschloo
  }
}
