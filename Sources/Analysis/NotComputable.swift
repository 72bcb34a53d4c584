import Domain
import Measurement
import Statistics

/// Why a comparison lacks figures: what cannot be computed is left empty, and a check says why.
package struct NotComputable: Sendable, Hashable {
  /// The reason's name in the check's subject.
  let code: String
  /// What is empty, and why.
  let sentence: String

  init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}

// MARK: - The reasons there are

extension NotComputable {
  static let noUsers = NotComputable(
    "no_users",
    "nothing can be computed: a group has no mature user")
  static let noDenominator = NotComputable(
    "no_denominator",
    "nothing can be computed: the ratio's denominator is zero in a group")
  static let oneUser = NotComputable(
    "one_user",
    "errors, intervals and all p-values but an exact test's are empty: a group has a single user")
  static let noVariation = NotComputable(
    "no_variation",
    "errors, intervals and p-values are empty: all users of both groups have the same value")
  static let noVariationWithin = NotComputable(
    "no_variation_within",
    "errors, intervals and p-values are empty: within each group all users have one value, so nothing tells how much "
      + "of the difference is chance")
  static let everybodyAlike = NotComputable(
    "everybody_alike",
    "errors, intervals and all p-values but an exact test's are empty: in each group none of the users did it, or all "
      + "did")
  static let oneRatio = NotComputable(
    "one_ratio",
    "errors, intervals and p-values are empty: the ratio is the same for every user of both groups who has one")
  static let oneRatioWithin = NotComputable(
    "one_ratio_within",
    "errors, intervals and p-values are empty: within each group the ratio is the same for every user who has one, so "
      + "nothing tells how much of the difference is chance")
  static let alikeInStrata = NotComputable(
    "alike_in_strata",
    "errors, intervals and p-values are empty: within each stratum all users of a group have one value")
  static let foretold = NotComputable(
    "foretold",
    "errors, intervals and p-values are empty: the covariate foretells every user's value exactly, so nothing is left "
      + "to measure chance by")
  static let zeroBaseline = NotComputable(
    "zero_baseline",
    "the lift is empty: the baseline's value is zero")
  static let noLogarithm = NotComputable(
    "no_logarithm",
    "the lift's interval is empty: a value that is not above zero has no logarithm; write lift_interval: fieller")
  static let unboundedLift = NotComputable(
    "unbounded_lift",
    "the lift's interval is unbounded: the baseline may be zero")
  static let unboundedDecidedLift = NotComputable(
    "unbounded_decided_lift",
    "the lift's deciding interval is unbounded: among so many comparisons the baseline may be zero")
  static let contraryTest = NotComputable(
    "contrary_test",
    "the lift's deciding interval is empty: the p-value that decides is another test's, and it says otherwise")
  static let nothingRanked = NotComputable(
    "nothing_ranked",
    "nothing can be computed: a group has no user with a value to rank")
  static let fewRanks = NotComputable(
    "few_ranks",
    "intervals are empty: a group has too few users for the ranks around its quantile")
  static let emptyStratum = NotComputable(
    "empty_stratum",
    "nothing can be computed: a stratum has no mature user of a group; stratify by an attribute with fewer values, "
      + "or not at all")
  static let thinStratum = NotComputable(
    "thin_stratum",
    "errors, intervals and p-values are empty: a stratum has a single user of a group; stratify by an attribute "
      + "with fewer values, or not at all")
  static let noCommonTime = NotComputable(
    "no_common_time",
    "nothing can be computed: no day or phase of assignment has enough mature users of both groups")
  static let notReached = NotComputable(
    "not_reached",
    "nothing can be computed: nobody of a group has been followed for that long")
  static let nobodyLeft = NotComputable(
    "nobody_left",
    "errors and intervals are empty: of a group nobody is left by then")
  static let nobodyEnded = NotComputable(
    "nobody_ended",
    "errors and intervals are empty: nobody has ended by then")
  static let negativeBaseline = NotComputable(
    "negative_baseline",
    "chance_to_win and expected_loss are empty: the baseline's value is below zero")
  static let noSpread = NotComputable(
    "no_spread",
    "chance_to_win and expected_loss are empty: the lift has no standard error, for in a group nothing varies")

  /// The order in which they are listed; what is a rule's own comes between the two.
  private static let first = [
    noUsers, noDenominator, oneUser, noVariation, noVariationWithin, everybodyAlike, oneRatio, oneRatioWithin,
    alikeInStrata, foretold, zeroBaseline, noLogarithm, unboundedLift,
  ]
  private static let last = [
    unboundedDecidedLift, contraryTest, nothingRanked, fewRanks, emptyStratum, thinStratum, noCommonTime, notReached,
    nobodyLeft, nobodyEnded, negativeBaseline, noSpread,
  ]

  /// Those that may come up.
  static func all(by rules: DecisionCatalog) -> [NotComputable] {
    listed(Set(first + rules.all.map(\.unboundedLift) + last))
  }

  /// Each once, in their order.
  static func listed(_ reasons: Set<NotComputable>) -> [NotComputable] {
    let own = reasons.subtracting(first + last).sorted { $0.code < $1.code }
    return (first + own + last).filter(reasons.contains)
  }
}

// MARK: - Which one it is

extension NotComputable {
  /// The first reason that applies; nil if every figure is there.
  ///
  /// - Parameter row: with the outcomes of all rules.
  init?(
    in row: ComparisonRow, of set: MetricSamples, baseline: MetricSamples.Sample, other: MetricSamples.Sample,
    settings: AnalysisSettings
  ) {
    let sides = [baseline.moments, other.moments]
    // An exact test compares the plain values, whatever else there is.
    let frames = row.exactPValue == nil ? set.frames : nil
    if let own = NotComputable(in: row, of: set.metric)
      ?? frames.flatMap({ NotComputable(in: row, frames: $0, groups: [baseline.group, other.group]) })
    {
      self = own
    } else if sides.contains(where: { $0.count == 0 }) {
      self = .noUsers
    } else if sides.contains(where: { $0.value == nil }) {
      self = .noDenominator
    } else if sides.contains(where: { $0.count < 2 }) {
      self = .oneUser
    } else if !row.isTested {
      self = .init(withoutVariationIn: row, adjusted: frames != nil)
    } else if row.lift == nil {
      self = .zeroBaseline
    } else if row.liftInterval == nil, settings.liftInterval == .log, sides.contains(where: { $0.value ?? 0 <= 0 }) {
      self = .noLogarithm
    } else if row.liftInterval == nil {
      self = .unboundedLift
    } else if let rule = settings.rules.all.first(where: {
      row.outcome(by: $0.name).map { $0.isSaid && $0.liftInterval == nil } ?? true
    }) {
      self = rule.unboundedLift
    } else if row.chanceToWin == nil {
      self = row.baselineValue ?? 0 < 0 ? .negativeBaseline : .noSpread
    } else {
      return nil
    }
  }

  /// Why a quantile or a curve cannot be compared.
  private init?(in row: ComparisonRow, of metric: MeasuredMetric) {
    if metric.quantile != nil {
      if row.comparison == nil {
        self = .nothingRanked
      } else if row.outcomes.contains(where: { $0.isSaid && $0.differenceInterval == nil }) {
        self = .fewRanks
      } else {
        return nil
      }
    } else if metric.isSurvival {
      if row.comparison == nil {
        self = .notReached
      } else if !row.isTested {
        self = row.value == 0 || row.baselineValue == 0 ? .nobodyLeft : .nobodyEnded
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  /// Why nothing varies: what users differ in may still differ between the groups.
  ///
  /// - Parameter adjusted: the values are less what a covariate foretold of them.
  private init(withoutVariationIn row: ComparisonRow, adjusted: Bool) {
    let isSame = row.difference == 0
    self =
      switch row.kind {
      case _ where adjusted: .foretold
      case .proportion: .everybodyAlike
      case .ratio: isSame ? .oneRatio : .oneRatioWithin
      default: isSame ? .noVariation : .noVariationWithin
      }
  }

  /// Why an estimate that is not a plain one cannot be computed.
  private init?(in row: ComparisonRow, frames: ComparisonFrames, groups: [Identifier]) {
    let found = groups.map { frames.frames[$0] }
    switch frames.method {
    case .withinTime where found[1] == nil: self = .noCommonTime
    case .stratified where found.contains { $0 == nil }: self = .emptyStratum
    case .stratified where found.contains { $0?.squaredError == nil }: self = .thinStratum
    case .stratified where !row.isTested: self = .alikeInStrata
    case .adjusted, .stratified, .withinTime: return nil
    }
  }
}
