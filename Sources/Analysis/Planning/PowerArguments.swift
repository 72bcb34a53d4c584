import Domain
import Jobs
import Statistics

/// What `offerlift power` was asked for, as typed; nil is the job's setting or, without a job, the default.
package struct PowerArguments: Sendable {
  /// A share, 0.03.
  package var baseline: Double?
  /// A mean and its standard deviation, instead of a share.
  package var mean: Double?
  package var deviation: Double?
  package var lift: Double?
  /// Size of each other group for one user of the baseline.
  package var ratio: Double?
  package var groups: Int?
  /// Users of all groups so far.
  package var users: Int?
  /// Users of all groups who join a day.
  package var usersPerDay: Double?
  /// Length of the metric's window, as `7d`.
  package var window: String?
  package var alpha: Double?
  package var power: Double?
  package var decideBy: String?
  package var tuning: Double?
  /// How many nights the test is planned for.
  package var nights: Int?
  /// `0.25,0.5,1`: the parts of the plan that are over at its few looks.
  package var looks: String?
  /// How the level is spent at them.
  package var spending: String?
  package var adjust: String?

  package init() {}

  /// Whether anything was typed that a job knows by itself.
  var hasFigures: Bool {
    baseline != nil || mean != nil || deviation != nil || ratio != nil || groups != nil || users != nil
      || usersPerDay != nil || window != nil
  }
}

extension PowerArguments {
  /// The rules, with what was typed put over `usual`.
  ///
  /// - Throws: `OfferliftError` 64 saying what to type instead.
  func rules(over usual: TestPlan.Rules, adjust usualAdjustment: Adjustment) throws -> TestPlan.Rules {
    var rules = usual
    rules.alpha = try checked(alpha, "--alpha", "0.05") { $0 > 0 && $0 < 1 } ?? rules.alpha
    rules.power = try checked(power, "--power", "0.8") { $0 > 0 && $0 < 1 } ?? rules.power
    guard rules.power > rules.alpha else {
      throw usage("--power \(rules.power) is not above --alpha \(rules.alpha); a coin does as well. Type 0.8, say.")
    }
    if let tuning = try checked(tuning, "--tuning", "5000", { $0 > 0 }) { rules.parameters.tuning = tuning }
    if let nights {
      guard (1...PlannedTest.mostNights).contains(nights) else {
        throw usage("--nights \(nights) is no plan; type 1 to \(PlannedTest.mostNights), 28 say.")
      }
      rules.parameters.plan = PlannedTest(.nights(nights))
      rules.rule = try OptionWord.rule(DecisionVocabulary.planned, "--nights", among: rules.rules) ?? rules.rule
    }
    rules.parameters.looks = try LookSchedule(looks, spending: spending, over: rules.parameters.looks)
    if looks != nil {
      rules.rule = try OptionWord.rule(DecisionVocabulary.groupSequential, "--looks", among: rules.rules) ?? rules.rule
    }
    rules.rule = try OptionWord.rule(decideBy, "--decide-by", among: rules.rules) ?? rules.rule
    guard rules.rule.name != DecisionVocabulary.groupSequential || rules.parameters.looks != nil else {
      throw usage("--decide-by group_sequential needs its looks; type --looks 0.25,0.5,0.75,1, say.")
    }
    let adjust = try OptionWord.parsed(adjust, "--adjust") ?? usualAdjustment
    if adjust == .none { rules.comparisons = 1 }
    return rules
  }

  /// The lift to find; nil where none was typed.
  func checkedLift() throws -> Double? {
    guard let lift else { return nil }
    guard lift.isFinite, lift != 0, lift >= -1 else {
      throw usage("--lift \(lift) is not a change to look for; type 0.1 for 10 % more, -0.1 for 10 % less.")
    }
    return lift
  }

  /// The number typed, if it is one that can be.
  func checked(
    _ value: Double?, _ option: String, _ example: String, _ isPossible: (Double) -> Bool
  ) throws -> Double? {
    guard let value else { return nil }
    guard value.isFinite, isPossible(value) else {
      throw usage("\(option) \(value) cannot be; type \(example), say.")
    }
    return value
  }

  package func usage(_ message: String) -> OfferliftError { OfferliftError(.usage, message) }
}
