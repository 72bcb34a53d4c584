import Domain
import Jobs
import Statistics

/// How figures are computed and decided: the part of a job that `analyze` has too.
package struct AnalysisSettings: Sendable {
  /// 1 − α.
  var confidence = 0.95
  /// The rules that figures are computed by.
  let rules: DecisionCatalog
  /// The one of them that decides.
  var rule: any DecisionRule
  /// Which look at the figures it is; of a test with a plan each comparison's own (`PlannedNights`).
  var look = Look()
  var plannedLooks = PlannedNights.AtNight()
  var parameters = DecisionParameters()
  var liftInterval = LiftIntervalMethod.fieller
  /// How the p-values of primary metrics are adjusted.
  var adjust = Adjustment.holm
  var exact = ExactTest.fisher
  /// Prior of the lift; nil is flat.
  var prior: NormalPrior?

  /// The default settings of a job file.
  init(rules: DecisionCatalog = .product) {
    self.rules = rules
    rule = rules.usual
  }

  /// - Throws: `OfferliftError` 78 where the job is decided by none of the rules.
  init(_ job: Job, rules: DecisionCatalog = .product) throws {
    self.init(rules: rules)
    do throws(UnknownWord) {
      rule = try rules.rule(named: rules.name(for: job))
    } catch {
      throw OfferliftError(.badJobFile, "\(job.file.lastPathComponent): decide_by: \(error.sentence)")
    }
    confidence = job.confidence
    parameters = DecisionParameters(job)
    liftInterval = job.liftInterval
    adjust = job.adjust
    exact = job.exact
    prior = job.prior
  }

  /// α of every interval and test, free of the dust that 1 − 0.95 leaves in binary.
  var alpha: Double { ComparisonOptions.alpha(confidence: confidence) }

  /// The test that decides.
  var test: any DecidingTest { rule.test(parameters) }

  /// How groups are compared by a metric of that goal.
  ///
  /// - Parameter key: which comparison it is; nil is none that a rule with looks decides.
  func options(goal: Goal, of key: CellKey? = nil) -> ComparisonOptions {
    ComparisonOptions(
      alpha: alpha, decides: test, look: key.flatMap { plannedLooks.look(of: $0) } ?? look, liftInterval: liftInterval,
      prior: prior,
      exactTest: exact, goal: goal)
  }

  /// The adjustment of all p-values but the primary metrics': Benjamini and Hochberg's, unless the job wants none.
  var secondaryAdjustment: Adjustment { adjust == .none ? .none : .bh }
}
