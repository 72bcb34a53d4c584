/// The quantities of the user at hand, one a metric, on their way into the sums.
///
/// One a thread: a value would be copied wherever it is asked while sums beside it change.
final class MetricQuantities {
  /// By metric; nil where the user's window has not ended.
  var values: RecordSpan<Quantity?> { retained.span }
  /// The metrics of which the user has one, and those of which it has something else that is not nothing.
  var ones: RecordSpan<Int> { metricsOfOne.span }
  var others: RecordSpan<Int> { metricsOfMore.span }
  /// The metrics whose window has not ended.
  var immature: RecordSpan<Int> { metricsImmature.span }
  /// The values are those of a user who never did anything, and all windows have ended.
  private(set) var areIdle = false
  /// They are those of the user at hand, who did something.
  private(set) var areOfUser = false
  /// By metric: how many users have each value is counted, for the cap waits for all users, or ranks are asked for.
  var isDeferred: RecordSpan<Bool> { deferred.span }

  private var retained = RecordBuffer<Quantity?>()
  private var metricsOfOne = RecordBuffer<Int>()
  private var metricsOfMore = RecordBuffer<Int>()
  private var metricsImmature = RecordBuffer<Int>()
  private var deferred = RecordBuffer<Bool>()
  private let metrics: [CompiledMetric]
  /// The same, not counted as references: `metrics` holds them, and every user asks each of them.
  private let uncounted: [UnownedReference<CompiledMetric>]
  /// Users measured from then on, in milliseconds, may have a window that has not ended.
  private let firstImmature: Int64

  init(_ metrics: [CompiledMetric]) {
    self.metrics = metrics
    uncounted = metrics.map { UnownedReference($0) }
    firstImmature = metrics.map(\.firstImmature).min() ?? .max
    retained.fill(with: nil, count: metrics.count)
    deferred.append(each: metrics.lazy.map(\.countsValues))
  }

  /// Takes every metric's quantity of a user measured from `start`, in milliseconds.
  func accept(_ user: UserInGroup, from start: Int64) {
    let isIdle = user.history.isEmpty
    let hasCharge = !user.history.charges.isEmpty || user.past.map { !$0.charges.isEmpty } ?? false
    let values = values
    if isIdle, start < firstImmature {
      if !areIdle { for index in values.indices { values[index] = metrics[index].idleQuantity } }
      areIdle = true
      areOfUser = false
      return
    }
    areIdle = false
    areOfUser = true
    metricsOfOne.removeAll()
    metricsOfMore.removeAll()
    metricsImmature.removeAll()
    for index in values.indices {
      uncounted[index].with { metric in
        guard let window = metric.window(from: start) else {
          values[index] = nil
          metricsImmature.append(index)
          return
        }
        let isNothing = isIdle || (!hasCharge && metric.needsCharge)
        let quantity = isNothing ? metric.idleQuantity : metric.quantity(of: user, in: window)
        values[index] = quantity
        note(quantity, of: index)
      }
    }
  }

  @inline(__always)
  private func note(_ quantity: Quantity, of index: Int) {
    if quantity == .zero { return }
    if quantity == .one, !deferred.span[index] { metricsOfOne.append(index) } else { metricsOfMore.append(index) }
  }

  /// The user at hand has no quantities.
  func removeAll() {
    areIdle = false
    areOfUser = false
    let values = values
    for index in values.indices { values[index] = nil }
  }
}
