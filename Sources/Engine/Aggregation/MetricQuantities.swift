/// The quantities of the user at hand, one a metric, on their way into the sums.
struct MetricQuantities {
  /// By metric; nil where the user's window has not ended.
  private(set) var values: [Quantity?]
  private let metrics: [CompiledMetric]
  /// By metric: the cap waits for all users.
  private let isDeferred: [Bool]
  /// By attribute and metric: the metric is split by it.
  private let isSplit: [[Bool]]

  init(_ metrics: [CompiledMetric], attributes: Int) {
    self.metrics = metrics
    values = metrics.map { _ in nil }
    isDeferred = metrics.map(\.countsValues)
    isSplit = (0..<attributes).map { attribute in metrics.map { $0.isSplitBy[attribute] } }
  }

  /// Takes every metric's quantity of a user measured from `start`, in milliseconds.
  mutating func take(_ user: UserInGroup, from start: Int64) {
    let isIdle = user.history.isEmpty
    for index in values.indices {
      let metric = metrics[index]
      guard let window = metric.window(from: start) else {
        values[index] = nil
        continue
      }
      values[index] = isIdle ? metric.idleQuantity : metric.quantity(of: user, in: window)
    }
  }

  /// The user at hand has no quantities.
  mutating func removeAll() {
    for index in values.indices { values[index] = nil }
  }

  /// Adds the user to a segment's sums.
  ///
  /// - Parameter attribute: what the segment is split by; nil where it is everybody.
  func add(to segment: inout SegmentAccumulator, attribute: Int?) {
    segment.users += 1
    for index in values.indices {
      if let attribute, !isSplit[attribute][index] { continue }
      if let quantity = values[index] {
        segment.metrics[index].add(quantity, deferring: isDeferred[index])
      } else {
        segment.metrics[index].immature += 1
      }
    }
  }
}
