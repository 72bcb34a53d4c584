/// How two groups are compared.
public struct ComparisonOptions: Sendable {
  /// One minus the confidence of every interval, and the level of every decision.
  public var alpha: Double
  /// The test that decides.
  public var decides: any DecidingTest
  /// Which look it is.
  public var look: Look
  /// How the interval of the lift is made.
  public var liftInterval: LiftIntervalMethod
  /// The prior of the lift in the Bayesian view; flat when `nil`.
  public var prior: NormalPrior?
  /// The exact test for proportions with few expected counts.
  public var exactTest: ExactTest
  /// The direction in which the metric is better.
  public var goal: Goal
  /// The power at which the minimum detectable effect is found.
  public var power: Double

  /// Gathers the options; the defaults are those of a plain comparison at 95 %.
  public init(
    alpha: Double = 0.05,
    decides: any DecidingTest = SingleLook(),
    look: Look = Look(),
    liftInterval: LiftIntervalMethod = .fieller,
    prior: NormalPrior? = nil,
    exactTest: ExactTest = .fisher,
    goal: Goal = .increase,
    power: Double = 0.8
  ) {
    self.alpha = alpha
    self.decides = decides
    self.look = look
    self.liftInterval = liftInterval
    self.prior = prior
    self.exactTest = exactTest
    self.goal = goal
    self.power = power
  }

  /// α of a confidence like 0.95, without the dust that 1 − 0.95 leaves in binary.
  public static func alpha(confidence: Double) -> Double {
    ((1 - confidence) * 1e12).rounded() / 1e12
  }
}

/// A normal prior of the relative lift.
public struct NormalPrior: Sendable, Hashable {
  /// Its mean.
  public var mean: Double
  /// Its standard deviation, above zero.
  public var standardDeviation: Double

  /// Makes a prior; 0 and 0.3 are usual.
  public init(mean: Double = 0, standardDeviation: Double = 0.3) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }
}

/// The exact tests of a 2×2 table.
public enum ExactTest: String, Sendable, Hashable, CaseIterable {
  /// Fisher's, given both margins.
  case fisher
  /// Boschloo's: Fisher's p-value as the statistic of an unconditional test; more powerful.
  case boschloo
}

/// The test a p-value comes from.
public enum TestName: String, Sendable, Hashable, CaseIterable {
  /// The score test of two proportions.
  case score
  /// Welch's t test.
  case welch
  /// Fisher's exact test.
  case fisher
  /// Boschloo's exact test.
  case boschloo
  /// Intervals of each group's quantile that hold for any distribution.
  case quantile
}
