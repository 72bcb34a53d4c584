import Domain
import Jobs
import Measurement
import Statistics

/// A metric ready to be taken of users: what the job asked for, with every name resolved.
final class CompiledMetric: Sendable {
  let measured: MeasuredMetric
  private let computeQuantity: QuantityOfUser
  /// The quantity of a user who never did anything.
  let idleQuantity: Quantity
  private let lookback: Int64?
  /// For each of the roster's attributes, and then for what users are parted into by their assignment, whether the
  /// metric is split by it.
  let isSplitBy: [Bool]
  /// The level a value is cut at, in the sums' units; nil where none is known before all users are.
  let fixedCap: Int128?
  let hasPercentileCap: Bool
  /// How many users have each value must be known: for a cap that waits for all users, for ranks, quantiles.
  let countsValues: Bool
  /// A few users may make most of its sum: those with the largest quantities are kept.
  let watchesLargest: Bool
  /// Those counts are wanted by Analysis too.
  let retainsValues: Bool
  /// A user's quantity can only change after its window has ended through refunds.
  let isFixedByWindow: Bool
  /// Refunds change it.
  let isMovedByRefunds: Bool
  /// It may change on any night, without an event too.
  let looksBeyondWindow: Bool
  /// Without a charge a user's quantity is that of one who never did anything.
  let needsCharge: Bool
  let needsPeriod: Bool
  /// It has a covariate: the same quantity of what was known at the assignment.
  var looksBack: Bool { lookback != nil }

  private let windowMilliseconds: Int64?
  private let includesImmature: Bool
  private let cutoff: Int64

  init(
    _ definition: MetricDefinition, _ wording: MetricWording, job: Job, context: MetricContext, attributes: [String],
    strata: AssignmentStrata, cutoff: Instant
  ) {
    let request = context.request
    var measured = MeasuredMetric(
      request: request, kind: definition.kind, scale: definition.isMoney ? 1_000_000 : 1, quantile: request.quantile,
      isSurvival: definition.isSurvival, isAtCutoff: !definition.hasWindow, countsZeros: definition.countsZeros,
      wording: wording, perUser: MetricWording.perUser(request, definition))
    measured.needsCommission = definition.needsCommission
    measured.needsCredits = definition.needsCredits
    self.measured = measured
    computeQuantity = definition.quantity(context)
    lookback = request.covariateMilliseconds
    let splits = request.segments ?? job.segments
    let isSummed = request.quantile == nil && !definition.isSurvival
    isSplitBy =
      attributes.map { splits.contains($0) }
      + strata.kinds.map { isSummed && ($0 == .phase || request.stratify == .day) }
    watchesLargest =
      isSummed && definition.isMoney && (definition.kind == .mean || request.primary) && request.cap == nil
    if case .value(let level) = request.cap { fixedCap = level } else { fixedCap = nil }
    var idle = definition.ofIdleUser(context)
    if request.covariateMilliseconds != nil { idle.c = idle.y }
    idleQuantity = idle.capped(at: fixedCap)
    if case .percentile = request.cap { hasPercentileCap = true } else { hasPercentileCap = false }
    retainsValues = request.robust || request.quantile != nil || definition.isSurvival || definition.countsZeros
    countsValues = hasPercentileCap || retainsValues
    windowMilliseconds = request.windowMilliseconds
    includesImmature = request.includesImmature
    needsCharge = definition.needsCharge
    needsPeriod = definition.needsPeriod
    isMovedByRefunds = definition.isMovedByRefunds(request)
    looksBeyondWindow = definition.looksBeyondWindow
    isFixedByWindow = windowMilliseconds != nil && !includesImmature && !looksBeyondWindow
    self.cutoff = cutoff.milliseconds
  }

  /// The window of a user measured from `start`; nil while it has not ended and the metric waits for that.
  @inline(__always)
  func window(from start: Int64) -> Range<Int64>? { window(from: start, cutoff: cutoff) }

  /// The same for a run with another cut-off.
  @inline(__always)
  func window(from start: Int64, cutoff: Int64) -> Range<Int64>? {
    guard let length = windowMilliseconds else { return start..<max(start, cutoff) }
    let end = start + length
    if end <= cutoff { return start..<end }
    return includesImmature ? start..<max(start, cutoff) : nil
  }

  /// The user's quantity over `window`, with its covariate, cut where the level is known.
  func quantity(of user: UserInGroup, in window: Range<Int64>) -> Quantity {
    var quantity = computeQuantity(user, window)
    if let lookback {
      let before = (window.lowerBound - lookback)..<window.lowerBound
      quantity.c =
        user.past.map { computeQuantity(UserInGroup(history: $0, group: user.group), before).y } ?? idleQuantity.c
    }
    return quantity.capped(at: fixedCap)
  }

  /// How long after its start, in milliseconds, the earliest cut-off lies at which a user counts.
  var countsAfter: Int64 { includesImmature ? 1 : windowMilliseconds ?? 1 }

  /// The first start of a user whose window has not ended at the cut-off, so that the metric waits for it.
  var firstImmature: Int64 {
    guard let length = windowMilliseconds, !includesImmature else { return .max }
    return cutoff - length + 1
  }
}
