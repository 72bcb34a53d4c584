import Domain
import Measurement
import Statistics

/// Why a comparison lacks figures: what cannot be computed is left empty, and a check says why.
enum NotComputable: String, Sendable, CaseIterable {
  case noUsers = "no_users"
  case noDenominator = "no_denominator"
  case oneUser = "one_user"
  case noVariation = "no_variation"
  case noVariationWithin = "no_variation_within"
  case everybodyAlike = "everybody_alike"
  case oneRatio = "one_ratio"
  case oneRatioWithin = "one_ratio_within"
  case alikeInStrata = "alike_in_strata"
  case foretold = "foretold"
  case zeroBaseline = "zero_baseline"
  case noLogarithm = "no_logarithm"
  case unboundedLift = "unbounded_lift"
  case unboundedSequentialLift = "unbounded_sequential_lift"
  case unboundedDecidedLift = "unbounded_decided_lift"
  case contraryTest = "contrary_test"
  case nothingRanked = "nothing_ranked"
  case fewRanks = "few_ranks"
  case emptyStratum = "empty_stratum"
  case thinStratum = "thin_stratum"
  case noCommonTime = "no_common_time"
  case notReached = "not_reached"
  case nobodyLeft = "nobody_left"
  case nobodyEnded = "nobody_ended"
  case negativeBaseline = "negative_baseline"
  case noSpread = "no_spread"

  /// The first reason that applies; nil if every figure is there.
  ///
  /// - Parameter method: how the lift's interval is made.
  init?(
    in row: ComparisonRow, of set: MetricSamples, baseline: MetricSamples.Sample, other: MetricSamples.Sample,
    by method: LiftIntervalMethod
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
    } else if row.sequentialPValue == nil {
      self = .init(withoutVariationIn: row, adjusted: frames != nil)
    } else if row.lift == nil {
      self = .zeroBaseline
    } else if row.liftInterval == nil, method == .log, sides.contains(where: { $0.value ?? 0 <= 0 }) {
      self = .noLogarithm
    } else if row.liftInterval == nil {
      self = .unboundedLift
    } else if row.sequentialLiftInterval == nil {
      self = .unboundedSequentialLift
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
      } else if row.differenceInterval == nil || row.sequentialDifferenceInterval == nil {
        self = .fewRanks
      } else {
        return nil
      }
    } else if metric.isSurvival {
      if row.comparison == nil {
        self = .notReached
      } else if row.sequentialPValue == nil {
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
    case .stratified where row.sequentialPValue == nil: self = .alikeInStrata
    case .adjusted, .stratified, .withinTime: return nil
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
      "errors, intervals and all p-values but an exact test's are empty: a group has a single user"
    case .noVariation:
      "errors, intervals and p-values are empty: all users of both groups have the same value"
    case .noVariationWithin:
      "errors, intervals and p-values are empty: within each group all users have one value, so nothing tells how much "
        + "of the difference is chance"
    case .everybodyAlike:
      "errors, intervals and all p-values but an exact test's are empty: in each group none of the users did it, or all "
        + "did"
    case .oneRatio:
      "errors, intervals and p-values are empty: the ratio is the same for every user of both groups who has one"
    case .oneRatioWithin:
      "errors, intervals and p-values are empty: within each group the ratio is the same for every user who has one, so "
        + "nothing tells how much of the difference is chance"
    case .alikeInStrata:
      "errors, intervals and p-values are empty: within each stratum all users of a group have one value"
    case .foretold:
      "errors, intervals and p-values are empty: the covariate foretells every user's value exactly, so nothing is left "
        + "to measure chance by"
    case .zeroBaseline:
      "the lift is empty: the baseline's value is zero"
    case .noLogarithm:
      "the lift's interval is empty: a value that is not above zero has no logarithm; write lift_interval: fieller"
    case .unboundedLift:
      "the lift's interval is unbounded: the baseline is not distinguishable from zero"
    case .unboundedSequentialLift:
      "the lift's always-valid interval is unbounded: the baseline is not yet distinguishable from zero "
        + "at every look"
    case .unboundedDecidedLift:
      "the lift's deciding interval is unbounded: the baseline is not distinguishable from zero at the level that is "
        + "left among so many comparisons"
    case .contraryTest:
      "the lift's deciding interval is empty: the p-value that decides is another test's, and it says otherwise"
    case .nothingRanked:
      "nothing can be computed: a group has no user with a value to rank"
    case .fewRanks:
      "intervals are empty: a group has too few users for the ranks around its quantile"
    case .emptyStratum:
      "nothing can be computed: a stratum has no mature user of a group; stratify by an attribute with fewer values, "
        + "or not at all"
    case .thinStratum:
      "errors, intervals and p-values are empty: a stratum has a single user of a group; stratify by an attribute "
        + "with fewer values, or not at all"
    case .noCommonTime:
      "nothing can be computed: no day or phase of assignment has enough mature users of both groups"
    case .notReached:
      "nothing can be computed: nobody of a group has been followed for that long"
    case .nobodyLeft:
      "errors and intervals are empty: of a group nobody is left by then"
    case .nobodyEnded:
      "errors and intervals are empty: nobody has ended by then"
    case .negativeBaseline:
      "chance_to_win and expected_loss are empty: the baseline's value is below zero"
    case .noSpread:
      "chance_to_win and expected_loss are empty: the lift has no standard error, for in a group nothing varies"
    }
  }
}
