import Jobs
import Statistics

/// How figures are computed and decided: the part of a job that `analyze` has too.
struct AnalysisSettings: Sendable {
  /// 1 − α.
  var confidence = 0.95
  var decideBy = Job.DecideBy.sequential
  /// N* of the confidence sequence.
  var tuning = 5000.0
  var liftInterval = Job.LiftIntervalKind.fieller
  /// How the p-values of primary metrics are adjusted.
  var adjust = Job.AdjustmentKind.holm
  var exact = Job.ExactTestKind.fisher
  /// Prior of the lift; nil is flat.
  var prior: Job.Prior?

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

  /// The same in the words of the Statistics module, for a metric's goal.
  func options(goal: MetricRequest.Goal) -> ComparisonOptions {
    ComparisonOptions(
      alpha: alpha,
      decides: decideBy == .fixed ? .fixed : .sequential,
      liftInterval: method,
      tuning: tuning,
      prior: prior.map { NormalPrior(mean: $0.mean, standardDeviation: $0.sd) },
      exactTest: exact == .fisher ? .fisher : .boschloo,
      goal: goal == .increase ? .increase : .decrease)
  }

  /// The adjustment of the primary metrics' p-values.
  var primaryAdjustment: Adjustment {
    switch adjust {
    case .holm: .holm
    case .hochberg: .hochberg
    case .bh: .bh
    case .by: .by
    case .none: .none
    }
  }

  /// The adjustment of all others: Benjamini and Hochberg's, unless the job wants none at all.
  var secondaryAdjustment: Adjustment { adjust == .none ? .none : .bh }

  private var method: LiftIntervalMethod {
    switch liftInterval {
    case .fieller: .fieller
    case .delta: .delta
    case .log: .log
    }
  }
}
