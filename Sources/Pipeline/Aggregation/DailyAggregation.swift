/// Follows one user through the nights: when it begins to count, what changes afterwards, when it is left out.
///
/// Nearly every user changes a metric once, on the night its window has ended; only refunds that come later,
/// metrics that do not wait for the window, and those that look beyond it need the history as it was on a night.
final class DailyAggregation {
  let nights: Nights
  let metrics: [CompiledMetric]
  private let earlier: UserHistory
  /// The metrics that may change on any night.
  private let restless: [Int]
  /// Attributes some metric is stratified by: their segments are followed beside everybody.
  private let strata: [Int]
  /// The cells of the user at hand.
  private var cells: [Int] = []
  private var arm = ArmKey(offering: 0, group: 0)

  init(nights: Nights, metrics: [CompiledMetric], attributes: [String], facts: ProductFacts) {
    self.nights = nights
    self.metrics = metrics
    earlier = UserHistory(facts: facts, cutoff: 0)
    restless = metrics.indices.filter { metrics[$0].looksBeyondWindow }
    strata = attributes.indices.filter { index in
      metrics.contains { $0.measured.request.stratify == attributes[index] }
    }
  }

  /// Adds what a user, measured from `start`, changes on each night.
  ///
  /// - Parameters:
  ///   - values: the attributes' values of the partition's users.
  ///   - quantities: the metrics' quantities at T; nil where the user does not count then.
  func add(
    _ membership: Membership, values: [UInt32], from start: Int64, _ builder: HistoryBuilder,
    quantities: [Quantity?], to sums: inout DailySums
  ) {
    guard nights.count > 0 else { return }
    find(membership, values, &sums)
    let end = membership.isInSeveralGroups ? nights.firstAfter(membership.otherGroupAt ?? start) : nights.count
    let presence = nights.firstAfter(start)
    guard presence < end else { return }
    count(1, of: metrics.count, night: presence, &sums)
    if end < nights.count { count(-1, of: metrics.count, night: end, &sums) }
    let lastRefund = builder.history.refundSteps.last?.time
    followRestless(from: start, builder, nights: presence..<end, &sums)
    for (index, metric) in metrics.enumerated() where !metric.looksBeyondWindow {
      let first = max(nights.firstAt(metric.firstCutoff(from: start)), presence)
      guard first < end else { continue }
      var quantity: Quantity
      if builder.history.isEmpty {
        quantity = metric.idleQuantity
        sums.add(quantity, users: 1, cells: cells, night: first, metric: index, deferring: metric.countsValues)
      } else if metric.isFixedByWindow, (lastRefund ?? .min) < nights.cutoff(first), let settled = quantities[index] {
        quantity = settled
        sums.add(quantity, users: 1, cells: cells, night: first, metric: index, deferring: metric.countsValues)
      } else {
        quantity = follow(metric, index, from: start, builder, nights: first..<end, &sums)
      }
      if end < nights.count {
        sums.add(quantity, users: -1, cells: cells, night: end, metric: index, deferring: metric.countsValues)
      }
    }
  }

  private func find(_ membership: Membership, _ values: [UInt32], _ sums: inout DailySums) {
    arm = ArmKey(membership)
    cells.removeAll(keepingCapacity: true)
    cells.append(sums.number(of: DailySums.Cell(arm: arm, attribute: nil)))
    for attribute in strata {
      let value = values[membership.attributes + attribute]
      cells.append(sums.number(of: DailySums.Cell(arm: arm, attribute: attribute, value: value)))
    }
  }

  /// Counts users who have nothing of a metric, or of the one behind the last: users who are there, mature or not.
  private func count(_ users: Int, of metric: Int, night: Int, _ sums: inout DailySums) {
    sums.add(.zero, users: users, cells: cells, night: night, metric: metric, deferring: false)
  }

  /// Takes the quantity anew on every night before which something happened; returns the last one.
  private func follow(
    _ metric: CompiledMetric, _ index: Int, from start: Int64, _ builder: HistoryBuilder, nights range: Range<Int>,
    _ sums: inout DailySums
  ) -> Quantity {
    var quantity = take(metric, from: start, builder, night: range.lowerBound)
    sums.add(quantity, users: 1, cells: cells, night: range.lowerBound, metric: index, deferring: metric.countsValues)
    for night in nightsOfChange(metric, from: start, builder.history, in: range) {
      replace(&quantity, by: take(metric, from: start, builder, night: night), index, night, &sums)
    }
    return quantity
  }

  /// A user's quantity of a metric from one night on.
  private func replace(
    _ quantity: inout Quantity, by changed: Quantity, _ index: Int, _ night: Int, _ sums: inout DailySums
  ) {
    guard changed != quantity else { return }
    let isDeferred = metrics[index].countsValues
    sums.add(quantity, users: -1, cells: cells, night: night, metric: index, deferring: isDeferred)
    sums.add(changed, users: 1, cells: cells, night: night, metric: index, deferring: isDeferred)
    quantity = changed
  }

  /// Takes the metrics that look beyond their window on every night, for the clock alone may change them.
  private func followRestless(
    from start: Int64, _ builder: HistoryBuilder, nights range: Range<Int>, _ sums: inout DailySums
  ) {
    guard !restless.isEmpty else { return }
    let firsts = restless.map { max(nights.firstAt(metrics[$0].firstCutoff(from: start)), range.lowerBound) }
    for (index, first) in zip(restless, firsts) where first < range.upperBound {
      count(1, of: index, night: first, &sums)
    }
    var quantities = restless.map { _ in Quantity.zero }
    for night in nightOfUnrest(builder.history, in: range)..<range.upperBound {
      builder.truncate(before: nights.cutoff(night), into: earlier)
      for (place, index) in restless.enumerated() where firsts[place] <= night {
        replace(&quantities[place], by: takeEarlier(metrics[index], from: start), index, night, &sums)
      }
    }
    guard range.upperBound < nights.count else { return }
    for (place, index) in restless.enumerated() where firsts[place] < range.upperBound {
      sums.add(
        quantities[place], users: -1, cells: cells, night: range.upperBound, metric: index,
        deferring: metrics[index].countsValues)
    }
  }

  /// The first night on which a metric that looks beyond its window may be anything but zero: those start with
  /// a trial or a charge, and from then on the clock alone may change them.
  private func nightOfUnrest(_ history: UserHistory, in range: Range<Int>) -> Int {
    let trial = history.events.first { $0.type == .trialStart }?.time
    guard let first = [trial, history.charges.first?.time].compactMap(\.self).min() else { return range.upperBound }
    return min(max(nights.firstAfter(first), range.lowerBound), range.upperBound)
  }

  private func take(_ metric: CompiledMetric, from start: Int64, _ builder: HistoryBuilder, night: Int) -> Quantity {
    builder.truncate(before: nights.cutoff(night), into: earlier)
    return takeEarlier(metric, from: start)
  }

  private func takeEarlier(_ metric: CompiledMetric, from start: Int64) -> Quantity {
    guard let window = metric.window(from: start, cutoff: earlier.cutoff) else { return .zero }
    return metric.quantity(of: UserInGroup(history: earlier, arm: arm), in: window)
  }

  /// The nights after the first that follow an event, a charge, or a refund.
  private func nightsOfChange(
    _ metric: CompiledMetric, from start: Int64, _ history: UserHistory, in range: Range<Int>
  ) -> [Int] {
    var changes = Set(history.refundSteps.map { nights.firstAfter($0.time) })
    if !metric.isFixedByWindow {
      changes.formUnion(history.charges.map { nights.firstAfter($0.time) })
      changes.formUnion(history.events.map { nights.firstAfter($0.time) })
    }
    return changes.filter { $0 > range.lowerBound && $0 < range.upperBound }.sorted()
  }
}
