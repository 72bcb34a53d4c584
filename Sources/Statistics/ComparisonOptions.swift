/// How two groups are compared.
public struct ComparisonOptions: Sendable, Hashable {
  /// One minus the confidence of every interval, and the level of every decision.
  public var alpha: Double
  /// The test that decides.
  public var decides: DecidingTest
  /// How the interval of the lift is made.
  public var liftInterval: LiftIntervalMethod
  /// N*, the number of users at which the always-valid interval is tightest.
  public var tuning: Double
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
    decides: DecidingTest = .fixed,
    liftInterval: LiftIntervalMethod = .fieller,
    tuning: Double = 5000,
    prior: NormalPrior? = nil,
    exactTest: ExactTest = .fisher,
    goal: Goal = .increase,
    power: Double = 0.8
  ) {
    self.alpha = alpha
    self.decides = decides
    self.liftInterval = liftInterval
    self.tuning = tuning
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

/// Which of a comparison's two tests a decision is taken by.
public enum DecidingTest: String, Sendable, Hashable, CaseIterable {
  /// The always-valid one, which may be read every night.
  case sequential
  /// That of a single look.
  case fixed
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
