import Jobs
import Statistics

/// How figures are computed and decided: the part of a job that `analyze` has too.
struct AnalysisSettings: Sendable {
  /// 1 − α.
  var confidence = 0.95
  var decideBy = DecidingTest.sequential
  /// N* of the confidence sequence.
  var tuning = 5000.0
  var liftInterval = LiftIntervalMethod.fieller
  /// How the p-values of primary metrics are adjusted.
  var adjust = Adjustment.holm
  var exact = ExactTest.fisher
  /// Prior of the lift; nil is flat.
  var prior: NormalPrior?

  /// The default settings of a job file.
  init() {}

  init(_ job: Job) {
    confidence = job.confidence
    decideBy = job.decideBy
    tuning = job.tuning
    liftInterval = job.liftInterval
    adjust = job.adjust
    exact = job.exact
    prior = job.prior
  }

  /// α of every interval and test, free of the dust that 1 − 0.95 leaves in binary.
  var alpha: Double { ComparisonOptions.alpha(confidence: confidence) }

  /// How groups are compared by a metric of that goal.
  func options(goal: Goal) -> ComparisonOptions {
    ComparisonOptions(
      alpha: alpha, decides: decideBy, liftInterval: liftInterval, tuning: tuning, prior: prior, exactTest: exact,
      goal: goal)
  }

  /// The adjustment of all p-values but the primary metrics': Benjamini and Hochberg's, unless the job wants none.
  var secondaryAdjustment: Adjustment { adjust == .none ? .none : .bh }
}
