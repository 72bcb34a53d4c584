/// Follows one user through the nights: when it begins to count, what changes afterwards, when it is left out.
///
/// Nearly every user changes a metric once, on the night its window has ended; only refunds that come later,
/// and metrics that do not wait for the window, need the history as it was on a night.
final class DailyAggregation {
  let nights: Nights
  let metrics: [CompiledMetric]
  private let earlier = UserHistory()
  /// Attributes some metric is stratified by: their segments are followed beside everybody.
  private let strata: [Int]
  /// The cells of the user at hand.
  private var cells: [Int] = []

  init(nights: Nights, metrics: [CompiledMetric], attributes: [String]) {
    self.nights = nights
    self.metrics = metrics
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
    count(1, night: presence, &sums)
    if end < nights.count { count(-1, night: end, &sums) }
    let lastRefund = builder.history.refundSteps.last?.time
    for (index, metric) in metrics.enumerated() {
      let first = max(nights.firstAt(metric.firstCutoff(from: start)), presence)
      guard first < end else { continue }
      var quantity: Quantity
      if builder.history.isEmpty {
        quantity = .zero
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
    let arm = ArmKey(offering: membership.offering, group: membership.group)
    cells.removeAll(keepingCapacity: true)
    cells.append(sums.number(of: DailySums.Cell(arm: arm, attribute: nil)))
    for attribute in strata {
      let value = values[membership.attributes + attribute]
      cells.append(sums.number(of: DailySums.Cell(arm: arm, attribute: attribute, value: value)))
    }
  }

  /// Counts users who are there, mature or not.
  private func count(_ users: Int, night: Int, _ sums: inout DailySums) {
    sums.add(.zero, users: users, cells: cells, night: night, metric: metrics.count, deferring: false)
  }

  /// Takes the quantity anew on every night before which something happened; returns the last one.
  private func follow(
    _ metric: CompiledMetric, _ index: Int, from start: Int64, _ builder: HistoryBuilder, nights range: Range<Int>,
    _ sums: inout DailySums
  ) -> Quantity {
    var quantity = take(metric, from: start, builder, night: range.lowerBound)
    sums.add(quantity, users: 1, cells: cells, night: range.lowerBound, metric: index, deferring: metric.countsValues)
    for night in nightsOfChange(metric, from: start, builder.history, in: range) {
      let changed = take(metric, from: start, builder, night: night)
      guard changed != quantity else { continue }
      sums.add(quantity, users: -1, cells: cells, night: night, metric: index, deferring: metric.countsValues)
      sums.add(changed, users: 1, cells: cells, night: night, metric: index, deferring: metric.countsValues)
      quantity = changed
    }
    return quantity
  }

  private func take(_ metric: CompiledMetric, from start: Int64, _ builder: HistoryBuilder, night: Int) -> Quantity {
    let cutoff = nights.cutoff(night)
    guard let window = metric.window(from: start, cutoff: cutoff) else { return .zero }
    builder.truncate(before: cutoff, into: earlier)
    return metric.quantity(of: earlier, in: window)
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
