import Statistics

/// Why a comparison lacks figures: what cannot be computed is left empty, and a check says why.
enum Gap: String, Sendable, CaseIterable {
  case noUsers = "no_users"
  case noDenominator = "no_denominator"
  case oneUser = "one_user"
  case noVariation = "no_variation"
  case zeroBaseline = "zero_baseline"
  case unboundedLift = "unbounded_lift"
  case unboundedSequentialLift = "unbounded_sequential_lift"

  /// The first reason that applies; nil if every figure is there.
  init?(in row: ComparisonRow, baseline: SampleMoments, other: SampleMoments) {
    let sides = [baseline, other]
    if sides.contains(where: { $0.count == 0 }) {
      self = .noUsers
    } else if sides.contains(where: { $0.value == nil }) {
      self = .noDenominator
    } else if sides.contains(where: { $0.count < 2 }) {
      self = .oneUser
    } else if row.sequentialPValue == nil {
      self = .noVariation
    } else if row.lift == nil {
      self = .zeroBaseline
    } else if row.liftInterval == nil {
      self = .unboundedLift
    } else if row.sequentialLiftInterval == nil {
      self = .unboundedSequentialLift
    } else {
      return nil
    }
  }

  /// What is empty, and why.
  var sentence: String {
    switch self {
    case .noUsers:
      "nothing can be computed: a group has no mature user"
    case .noDenominator:
      "nothing can be computed: the ratio's denominator is zero in a group"
    case .oneUser:
      "errors, intervals and p-values are empty: a group has a single user"
    case .noVariation:
      "errors, intervals and p-values are empty: all users of both groups have the same value"
    case .zeroBaseline:
      "the lift is empty: the baseline's value is zero"
    case .unboundedLift:
      "the lift's interval is unbounded: the baseline is not distinguishable from zero"
    case .unboundedSequentialLift:
      "the lift's always-valid interval is unbounded: the baseline is not yet distinguishable from zero "
        + "at every look"
    }
  }
}
