import Statistics

/// One group held against its offering's baseline: a metric in a segment.
///
/// Differences are in the value's unit (currency units for money), lifts are parts of the baseline's value
/// (0.1 is 10 % more). What cannot be computed is nil.
struct ComparisonRow: Sendable {
  var key: CellKey
  /// The group every other one is held against.
  var baseline: Identifier
  var kind: ResultKind
  var primary: Bool
  var goal: MetricRequest.Goal
  /// Figures are money in the reporting currency.
  var isMoney: Bool

  var baselineValue: Double?
  var value: Double?
  /// value − baseline value.
  var difference: Double?
  /// Interval of the difference for a single look.
  var differenceInterval: Interval?
  /// difference / baseline value.
  var lift: Double?
  /// Interval of the lift for a single look.
  var liftInterval: Interval?
  /// Two-sided p of a single look: Welch's, or the exact one where counts are small.
  var pValue: Double?
  /// The deciding p, adjusted for its family.
  var adjustedPValue: Double?
  /// The test `pValue` comes from: `welch`, `fisher`, `boschloo`, `quantile`, `log_rank`.
  var test: String?
  /// Always-valid p: may be read every night.
  var sequentialPValue: Double?
  var sequentialDifferenceInterval: Interval?
  var sequentialLiftInterval: Interval?
  /// Probability that the group is better by the metric's goal; not protected against nightly looks.
  var chanceToWin: Double?
  /// Lift lost on average if the group is chosen and is in truth no better.
  var expectedLoss: Double?
  /// Exact p of proportions with an expected cell below 5.
  var exactPValue: Double?
  /// Smallest lift that n users a group find with 80 % power.
  var detectableLift: Double?
  /// θ of the covariate adjustment.
  var cupedTheta: Double?
  /// The metric is watched, not hoped for: it must not get worse by `margin` or more.
  var isGuardrail = false
  /// The lift that does not matter.
  var margin: Double?
  /// One-sided p of "worse by the margin or more", of a guardrail, for a single look.
  var marginPValue: Double?
  /// The same, always valid.
  var sequentialMarginPValue: Double?
  /// Bootstrap interval of the difference of the plain values, of a metric with `robust: true`.
  var bootstrapDifferenceInterval: Interval?
  /// The same of the lift.
  var bootstrapLiftInterval: Interval?
  /// Mann and Whitney's two-sided p.
  var rankPValue: Double?
  var decision = Decision.inconclusive

  /// Users of the smaller side whose window has ended.
  var matureUsers: Int128
  /// Smallest expected cell of the 2 × 2 table; nil for kinds other than proportions.
  var smallestExpectedCell: Double?
  /// Why figures are missing; nil if none is.
  var gap: Gap?

  /// The p that decides.
  func decidingPValue(_ decideBy: Job.DecideBy) -> Double? {
    switch decideBy {
    case .sequential: sequentialPValue
    case .fixed: pValue
    }
  }

  /// The p of a guardrail that decides.
  func decidingMarginPValue(_ decideBy: Job.DecideBy) -> Double? {
    switch decideBy {
    case .sequential: sequentialMarginPValue
    case .fixed: marginPValue
    }
  }

  /// The interval of the lift that belongs to the deciding p.
  func decidingLiftInterval(_ decideBy: Job.DecideBy) -> Interval? {
    switch decideBy {
    case .sequential: sequentialLiftInterval
    case .fixed: liftInterval
    }
  }
}

/// What a comparison, a group or an offering comes to.
enum Decision: String, Sendable, CaseIterable {
  /// A check of the offering failed: the figures may be wrong.
  case doNotTrust = "do_not_trust"
  /// Too few mature users or events for the figures to mean anything yet.
  case tooEarly = "too_early"
  /// The group beats the baseline, by the metric's goal.
  case better
  /// The group falls behind the baseline, by the metric's goal.
  case worse
  /// The lift lies within the metric's margin, either way.
  case equivalent
  /// A guardrail is shown not to be worse by its margin or more.
  case notWorse = "not_worse"
  /// A guardrail is not shown to be so.
  case maybeWorse = "maybe_worse"
  /// Nothing is shown.
  case inconclusive

  /// The decision as a reader says it: `do not trust`.
  var words: String { rawValue.replacing("_", with: " ") }
}

/// What an offering's primary metrics come to together.
struct OfferingVerdict: Sendable {
  var offering: Identifier
  var decision: Decision
  /// The verdict in a sentence or two.
  var sentence: String
  /// One for each group held against the baseline, by id.
  var groups: [GroupVerdict]

  struct GroupVerdict: Sendable {
    var group: Identifier
    var decision: Decision
    var sentence: String
  }
}
