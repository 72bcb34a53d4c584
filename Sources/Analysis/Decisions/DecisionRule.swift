import Statistics

/// How a test is decided: which p-value and intervals decide, at which looks they hold, and how people are told so.
///
/// A rule is a file of its own in this folder, and a line of `DecisionCatalog`.
package protocol DecisionRule: Sendable {
  /// What a job's `decide_by:`, `--decide-by` and `run.json` call it.
  var name: String { get }
  var words: DecisionWords { get }
  /// What it adds to `comparisons` and `daily`, behind the figures of a single look.
  var columns: [DecisionColumn] { get }
  /// What it adds to `comparisons` behind the margins.
  var marginColumns: [DecisionColumn] { get }
  /// Why its interval of a lift is empty where that for a single look is not.
  var unboundedLift: NotComputable { get }

  /// The test behind its p-values and intervals.
  func test(_ parameters: DecisionParameters) -> any DecidingTest

  /// What a comparison comes to by it, at the look and the level of the settings.
  ///
  /// - Parameter row: its figures for a single look are there.
  func outcome(of row: ComparisonRow, settings: AnalysisSettings) -> DecisionOutcome

  /// How a plan reckons the users it takes, and with them the days.
  ///
  /// - Parameters:
  ///   - alpha: the part of α that one comparison has.
  ///   - power: the probability to find a lift that is there.
  ///   - ratio: n_B/n_A.
  func plan(alpha: Double, power: Double, ratio: Double, _ parameters: DecisionParameters) -> Power

  /// How many looks a plan counts until its users are there, the last one among them.
  ///
  /// - Parameter nights: how many nights that takes.
  func looks(nights: Int, _ parameters: DecisionParameters) -> Int

  /// The last look of so many nights.
  func lastLook(nights: Int, _ parameters: DecisionParameters) -> Look

  /// Plans reckon by it where others decide.
  func isOffered(_ parameters: DecisionParameters) -> Bool

  /// Whether a bound of its own says that going on is of little use.
  func isFutile(_ row: ComparisonRow, _ parameters: DecisionParameters) -> Bool
}

extension DecisionRule {
  package func looks(nights: Int, _ parameters: DecisionParameters) -> Int { nights }

  package func lastLook(nights: Int, _ parameters: DecisionParameters) -> Look { Look(number: nights, planned: nights) }

  package func isOffered(_ parameters: DecisionParameters) -> Bool { true }

  package func isFutile(_ row: ComparisonRow, _ parameters: DecisionParameters) -> Bool { false }

  package func outcome(of row: ComparisonRow, settings: AnalysisSettings) -> DecisionOutcome {
    outcome(of: row, by: test(settings.parameters))
  }

  /// What a comparison comes to by a test, at the look of the comparison.
  func outcome(of row: ComparisonRow, by test: any DecidingTest) -> DecisionOutcome {
    let outcome = row.comparison?.outcome(of: test)
    var margin: NonInferiority?
    if row.isGuardrail, let comparison = row.comparison {
      margin = NonInferiority(of: comparison, margin: row.margin ?? 0, by: test)
    }
    return DecisionOutcome(
      rule: name, pValue: outcome?.pValue, differenceInterval: outcome?.absInterval,
      liftInterval: outcome?.relInterval, marginPValue: margin?.pValue,
      harmPValue: row.isGuardrail ? row.comparison.flatMap { NonInferiority.harm(of: $0, by: test) } : nil)
  }

  /// The last look is the planned one, with all the users that a plan of the test reckons.
  package func plan(alpha: Double, power: Double, ratio: Double, _ parameters: DecisionParameters) -> Power {
    let nights = parameters.plan?.nights ?? Planned.usualNights
    return Power(
      alpha: alpha, power: power, ratio: ratio, test: test(parameters), look: lastLook(nights: nights, parameters))
  }
}

/// What a comparison comes to by one rule; nil is what cannot be computed.
package struct DecisionOutcome: Sendable {
  /// The rule's name.
  package var rule: String
  /// The rule says something of the job; else there are no figures to look for.
  var isSaid = true
  /// Two-sided.
  package var pValue: Double?
  /// In the value's unit.
  package var differenceInterval: Interval?
  /// As parts of the baseline's value; nil too where it is unbounded.
  package var liftInterval: Interval?
  /// One-sided, of "worse by the margin or more", of a guardrail.
  package var marginPValue: Double?
  /// One-sided, of "not worse", of a guardrail.
  var harmPValue: Double?
  /// If the test ends at this look; nil by rules that say nothing of it.
  var stage: (pValue: Double, difference: Double, interval: Interval)?
}
