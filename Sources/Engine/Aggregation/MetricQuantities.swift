/// The quantities of the user at hand, one a metric, on their way into the sums.
///
/// One a thread: a value would be copied wherever it is asked while sums beside it change.
final class MetricQuantities {
  /// By metric; nil where the user's window has not ended.
  var values: RecordSpan<Quantity?> { kept.span }
  private var kept = RecordBuffer<Quantity?>()
  /// The metrics of which the user has something, and those whose window has not ended.
  private var done = RecordBuffer<Int>()
  private var immature = RecordBuffer<Int>()
  private let metrics: [CompiledMetric]
  /// The same, not counted as references: `metrics` holds them, and every user asks each of them.
  private let uncounted: [Unmanaged<CompiledMetric>]
  /// By metric: the cap waits for all users.
  private let isDeferred: [Bool]
  /// By attribute and metric: the metric is split by it.
  private let isSplit: [[Bool]]
  /// Users measured from then on, in milliseconds, may have a window that has not ended.
  private let firstImmature: Int64
  /// The values are those of a user who never did anything, and all windows have ended.
  private var areIdle = false

  init(_ metrics: [CompiledMetric], attributes: Int) {
    self.metrics = metrics
    uncounted = metrics.map { Unmanaged.passUnretained($0) }
    kept.fill(with: nil, count: metrics.count)
    isDeferred = metrics.map(\.countsValues)
    isSplit = (0..<attributes).map { attribute in metrics.map { $0.isSplitBy[attribute] } }
    firstImmature = metrics.map(\.firstImmature).min() ?? .max
  }

  /// Takes every metric's quantity of a user measured from `start`, in milliseconds.
  func take(_ user: UserInGroup, from start: Int64) {
    let isIdle = user.history.isEmpty
    if isIdle, start < firstImmature {
      if !areIdle { for index in values.indices { values[index] = metrics[index].idleQuantity } }
      areIdle = true
      return
    }
    areIdle = false
    let values = values
    done.removeAll()
    immature.removeAll()
    for index in values.indices {
      uncounted[index]._withUnsafeGuaranteedRef { metric in
        guard let window = metric.window(from: start) else {
          values[index] = nil
          immature.append(index)
          return
        }
        let quantity = isIdle ? metric.idleQuantity : metric.quantity(of: user, in: window)
        values[index] = quantity
        if quantity != .zero { done.append(index) }
      }
    }
  }

  /// The user at hand has no quantities.
  func removeAll() {
    areIdle = false
    for index in values.indices { values[index] = nil }
  }

  /// Adds the user to a segment's sums.
  ///
  /// - Parameter attribute: what the segment is split by; nil where it is everybody.
  @inline(__always)
  func add(to segment: inout SegmentAccumulator, attribute: Int?) {
    if areIdle { segment.idleUsers += 1 } else { addEach(to: &segment, attribute) }
  }

  private func addEach(to segment: inout SegmentAccumulator, _ attribute: Int?) {
    segment.users += 1
    for index in done.span {
      if let attribute, !isSplit[attribute][index] { continue }
      segment.doers[index] += 1
      segment.metrics[index].add(values[index] ?? .zero, users: 1, deferring: isDeferred[index])
    }
    for index in immature.span {
      if let attribute, !isSplit[attribute][index] { continue }
      segment.metrics[index].immature += 1
    }
  }

  /// Adds those of a segment's users to its sums who are added at once: of each metric the users who have nothing, and
  /// the idle ones, who all have the same quantities.
  func addWaitingUsers(of segment: inout SegmentAccumulator, attribute: Int?) {
    for index in metrics.indices {
      if let attribute, !isSplit[attribute][index] { continue }
      let zeros = segment.users - segment.doers[index] - segment.metrics[index].immature
      if zeros > 0 { segment.metrics[index].add(.zero, users: zeros, deferring: false) }
      guard segment.idleUsers > 0 else { continue }
      segment.metrics[index].add(
        metrics[index].idleQuantity, users: segment.idleUsers, deferring: isDeferred[index])
    }
    segment.users += segment.idleUsers
    segment.idleUsers = 0
    segment.doers = []
  }
}
