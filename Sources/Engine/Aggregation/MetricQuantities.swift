/// One user's quantities, one a metric, before they are added to the sums.
///
/// Each thread has one, for user after user. It is a class because a struct would be copied at every access while the
/// sums beside it change.
final class MetricQuantities {
  /// By metric; nil where the user's window has not ended.
  var values: RecordSpan<Quantity?> { retained.span }
  /// Indices of the metrics whose quantity is one (a count of 1), and of those whose quantity is neither one nor zero.
  var ones: RecordSpan<Int> { metricsOfOne.span }
  var others: RecordSpan<Int> { metricsOfMore.span }
  /// The metrics whose window has not ended.
  var immature: RecordSpan<Int> { metricsImmature.span }
  /// The user has no event at all, and every window has ended: the values are each metric's idle quantity.
  private(set) var areIdle = false
  /// The values were computed from the user's events.
  private(set) var areOfUser = false
  /// By metric: whether users are counted by value, because a percentile cap or ranks need all users first.
  var isDeferred: RecordSpan<Bool> { deferred.span }

  private var retained = RecordBuffer<Quantity?>()
  private var metricsOfOne = RecordBuffer<Int>()
  private var metricsOfMore = RecordBuffer<Int>()
  private var metricsImmature = RecordBuffer<Int>()
  private var deferred = RecordBuffer<Bool>()
  private let metrics: [CompiledMetric]
  /// The same metrics without reference counting, which would cost every user. `metrics` owns them.
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
