import Statistics

/// A metric ready to be taken of users: what the job asked for, with every name resolved.
struct CompiledMetric: Sendable {
  let measured: MeasuredMetric
  let quantity: QuantityOfUser
  /// For each of the roster's attributes whether the metric is split by it.
  let isSplitBy: [Bool]
  /// The level a value is cut at, in the sums' units; nil where none is known before all users are.
  let fixedCap: Int128?
  let hasPercentileCap: Bool

  private let windowMilliseconds: Int64?
  private let includesImmature: Bool
  private let cutoff: Int64

  init(
    _ definition: MetricDefinition, job: Job, context: MetricContext, attributes: [String], cutoff: Instant
  ) {
    let request = context.request
    measured = MeasuredMetric(
      request: request, kind: definition.kind, scale: definition.isMoney ? 1_000_000 : 1)
    quantity = definition.quantity(context)
    let splits = request.segments ?? job.segments
    isSplitBy = attributes.map { splits.contains($0) }
    if case .value(let level) = request.cap { fixedCap = level } else { fixedCap = nil }
    if case .percentile = request.cap { hasPercentileCap = true } else { hasPercentileCap = false }
    windowMilliseconds = request.windowMilliseconds
    includesImmature = request.includesImmature
    self.cutoff = cutoff.milliseconds
  }

  /// The window of a user measured from `start`; nil while it has not ended and the metric waits for that.
  @inline(__always)
  func window(from start: Int64) -> Range<Int64>? {
    guard let length = windowMilliseconds else { return start..<max(start, cutoff) }
    let end = start + length
    if end <= cutoff { return start..<end }
    return includesImmature ? start..<max(start, cutoff) : nil
  }

  /// Whether the user's window has ended at T.
  func isMature(from start: Int64) -> Bool {
    windowMilliseconds.map { start + $0 <= cutoff } ?? true
  }
}
