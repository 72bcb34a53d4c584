import Domain
import Jobs
import Statistics

/// One group held against its offering's baseline: a metric in a segment.
///
/// Differences are in the value's unit (currency units for money), lifts are parts of the baseline's value
/// (0.1 is 10 % more). What cannot be computed is nil.
package struct ComparisonRow: Sendable {
  package var key: CellKey
  /// The group every other one is held against.
  package var baseline: Identifier
  package var kind: ResultKind
  package var primary: Bool
  package var goal: Goal
  /// It neither makes the verdict nor has a goal: `higher` and `lower` stand in the place of `better` and `worse`.
  package var isDescriptive = false
  /// Whom it is of the test moves, so that it is described and never decided.
  var isNeverDecided = false
  /// Figures are money in the reporting currency.
  package var isMoney: Bool

  package var baselineValue: Double?
  package var value: Double?
  /// value − baseline value.
  package var difference: Double?
  /// Interval of the difference for a single look.
  package var differenceInterval: Interval?
  /// difference / baseline value.
  package var lift: Double?
  /// Interval of the lift for a single look.
  package var liftInterval: Interval?
  /// Two-sided p of a single look: the score test's of shares, else Welch's, or the exact one where counts are small.
  package var pValue: Double?
  /// The deciding p, adjusted for its family.
  package var adjustedPValue: Double?
  /// The interval of the lift that is shown beside the decision: the deciding test's, at the level that its family
  /// leaves it. Without 0 exactly where `adjustedPValue` is below α.
  package var decidedLiftInterval: Interval?
  /// The test `pValue` comes from: `score`, `welch`, `fisher`, `boschloo`, `quantile`, `log_rank`, and of
  /// shares compared within days or phases `mantel_haenszel`.
  package var test: String?
  /// What it comes to by each rule, in the order of their catalog.
  package var outcomes: [DecisionOutcome] = []
  /// Probability that the group is better by the metric's goal; not protected against nightly looks.
  package var chanceToWin: Double?
  /// Lift lost on average if the group is chosen and is in truth no better.
  package var expectedLoss: Double?
  /// Exact p of proportions with an expected cell below 5.
  package var exactPValue: Double?
  /// Smallest lift that the deciding test finds with 80 % power when it looks at so many users.
  package var detectableLift: Double?
  /// θ of the covariate adjustment.
  package var cupedTheta: Double?
  /// The metric is watched, not hoped for: it must not get worse by `margin` or more.
  package var isGuardrail = false
  /// The lift that does not matter.
  package var margin: Double?
  /// One-sided p of "worse by the margin or more", of a guardrail, for a single look.
  package var marginPValue: Double?
  /// Bootstrap interval of the difference of the plain values, of a metric with `robust: true`.
  package var bootstrapDifferenceInterval: Interval?
  /// The same of the lift.
  package var bootstrapLiftInterval: Interval?
  /// Mann and Whitney's two-sided p.
  package var rankPValue: Double?
  package var decision = Decision.inconclusive
  /// The end of the first night from which on the decision stands; nil where nothing is shown.
  package var shownSince: Instant?
  /// The lift of that night.
  var liftWhenShown: Double?
  /// The interval of the lift that decided that night.
  var intervalWhenShown: Interval?
  /// The end of the first night on which the opposite was shown before that; nil where it never was.
  package var oppositeShown: Instant?
  /// Of a comparison whose offering a check failed the end of the night from which on a decision had stood.
  var distrustedSince: Instant?

  /// How many equal events the groups' sums rest on; nil but for means and ratios.
  var effectiveEvents: EffectiveEvents?
  /// How much wider the difference spreads where both groups' values vary alike; nil but for means and ratios.
  var evenSpread: EvenSpread?
  /// What the two groups have too little of for a decision; nil if there is enough.
  var scarcity: Scarcity?
  /// Why figures are missing; nil if none is.
  var notComputable: NotComputable?
  /// What the figures were taken from; nil where an estimate that is not a plain one cannot be computed.
  package var comparison: Comparison?

  /// What the two groups have too little of, and how much it takes for a decision; nil if there is enough.
  package var lack: (observed: Double, needed: Double)? { scarcity?.counts }

  /// What it comes to by the rule of that name.
  package func outcome(by rule: String) -> DecisionOutcome? { outcomes.first { $0.rule == rule } }

  /// The value moved the way it should.
  var isImproved: Bool { difference.map { ($0 > 0) == (goal == .increase) && $0 != 0 } ?? false }

  /// Whether anything tells how much of the difference is chance.
  var isTested: Bool { comparison?.isTested ?? false }

  /// A lift as people are told it: what is not money cannot fall by more than all of it, whatever an interval says;
  /// money can, where refunds outweigh charges.
  func shown(_ lift: Double) -> Double { isMoney ? lift : max(-1, lift) }

  /// A share of users or of counts, which no interval takes below nothing.
  var isRate: Bool { kind == .proportion || kind == .survival || (kind == .ratio && !isMoney) }
}

extension ComparisonRow {
  /// Takes over the deciding p as its family adjusts it, and the interval that goes with it.
  ///
  /// - Parameters:
  ///   - share: the share of α that the family leaves: the deciding p over its adjusted one.
  ///   - alpha: α.
  mutating func settle(adjusted: Double?, shareOfAlpha share: Double?, alpha: Double) {
    adjustedPValue = adjusted
    guard let adjusted, let share else { return }
    if adjusted < alpha {
      let level = comparison?.nominalLevel(shareOfAlpha: share) ?? share * alpha
      scarcity =
        scarcity ?? effectiveEvents?.scarcity(shareOfAlpha: share, level: level, alpha: alpha)
        ?? evenSpread?.scarcity(of: comparison, shareOfAlpha: share, alpha: alpha)
    }
    guard let interval = comparison?.decidedRelInterval(shareOfAlpha: share) else {
      notComputable = notComputable ?? .unboundedDecidedLift
      return
    }
    // An exact test's p, or a log-rank test's, may see what the interval does not: then there is none to show.
    guard interval.contains(0) == (adjusted >= alpha) else {
      notComputable = notComputable ?? .contraryTest
      return
    }
    // No rate falls by more than all of it; a ratio of money that nobody has called money may.
    let isCut = isRate && lift ?? 0 >= -1
    decidedLiftInterval = isCut ? Interval(max(-1, interval.low), max(-1, interval.high)) : interval
  }
}

/// What a comparison, a group or an offering comes to.
package enum Decision: String, Sendable, CaseIterable {
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
  package var words: String { rawValue.replacing("_", with: " ") }
}
