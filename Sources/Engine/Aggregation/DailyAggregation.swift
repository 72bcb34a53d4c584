import Domain

/// Follows one user through the nights: when it begins to count, what changes afterwards, when it is left out.
///
/// Nearly every user changes a metric once, on the night its window has ended. Only what may change later, by a refund
/// or by the clock alone, and users of whom something was told twice, need the history as it was on a night.
final class DailyAggregation {
  let nights: Nights
  let metrics: [CompiledMetric]
  private let earlier: EarlierHistory
  /// Attributes some metric is stratified by: their segments are followed beside everybody.
  private let attributes: [Int]
  /// So are the phases and days of assignment, numbered behind all attributes.
  private let strata: AssignmentStrata
  private let attributeCount: Int
  /// The cells of the user at hand.
  private var cells = RecordBuffer<Int>()
  /// The attributes' values of the partition's users.
  private let values: [UInt32]
  private var groups = RecordBuffer<KnownGroup>()
  /// The nights on which to look at the user at hand.
  private var looks = RecordBuffer<Int>()
  /// The metrics that the user at hand may change on more than one night.
  private var moving = RecordBuffer<Moving>()
  /// How long after its start a user begins to count: the different lengths, by metric which one it is, and the nights
  /// on which the user at hand begins to.
  private var lengths = RecordBuffer<Int64>()
  private var firsts = RecordBuffer<Int>()
  private var traits = RecordBuffer<Traits>()
  private var arrivals: DailyArrivals
  /// The metrics of which users who never did anything have something, and those that may change after the window.
  private let metricsOfIdle: [Int]
  private let metricsNotFixed: [Int]
  /// The metrics of which the user at hand may have something.
  private var wanted = RecordBuffer<Int>()

  /// What is asked of a metric for every user: values, because threads would fight over the counts of references.
  private struct Traits: BitwiseCopyable {
    var length: Int
    var isFixedByWindow: Bool
    var isMovedByRefunds: Bool
    var countsValues: Bool
    var idleQuantity: Quantity
  }

  /// A metric as it goes from night to night.
  private struct Moving: BitwiseCopyable {
    var index: Int
    /// The first night the user counts on.
    var first: Int
    var quantity = Quantity.zero
  }

  init(
    nights: Nights, metrics: [CompiledMetric], attributes: [String], strata: AssignmentStrata, values: [UInt32],
    earlier: EarlierHistory
  ) {
    self.nights = nights
    self.metrics = metrics
    self.values = values
    self.earlier = earlier
    let lengths = Set(metrics.map(\.countsAfter)).sorted()
    self.lengths.append(each: lengths)
    firsts.fill(with: 0, count: lengths.count)
    arrivals = DailyArrivals(nights: nights.count, lengths: lengths.count)
    traits.append(
      each: metrics.lazy.map { metric in
        Traits(
          length: lengths.firstIndex(of: metric.countsAfter) ?? 0, isFixedByWindow: metric.isFixedByWindow,
          isMovedByRefunds: metric.isMovedByRefunds, countsValues: metric.countsValues,
          idleQuantity: metric.idleQuantity)
      })
    metricsOfIdle = metrics.indices.filter { metrics[$0].idleQuantity != .zero }
    metricsNotFixed = metrics.indices.filter { !metrics[$0].isFixedByWindow }
    self.strata = strata
    attributeCount = attributes.count
    self.attributes = attributes.indices.filter { index in
      metrics.contains { $0.measured.request.stratify == .attribute(attributes[index]) }
    }
  }

  /// Adds what a user changes on each night; `finish` adds the rest.
  ///
  /// - Parameter quantities: the metrics' quantities at the cut-off, where the user counts then.
  func add(_ followed: FollowedUser, _ quantities: MetricQuantities, to sums: inout DailySums) {
    guard nights.count > 0 else { return }
    let membership = followed.membership
    find(followed, &sums)
    let end = membership.isInSeveralGroups ? nights.firstAfter(membership.otherGroupAt ?? .min) : nights.count
    let presence = nights.firstAfter(followed.start)
    guard presence < end else { return }
    count(1, night: presence, &sums)
    if end < nights.count { count(-1, night: end, &sums) }
    moving.removeAll()
    let (lengths, firsts, traits) = (lengths.span, firsts.span, traits.span)
    for index in lengths.indices {
      firsts[index] = max(nights.firstAt(followed.start + lengths[index]), presence)
      arrivals.add(cells.span, from: firsts[index], until: end, length: index)
    }
    locate(followed, quantities)
    for index in wanted.span {
      let first = firsts[traits[index].length]
      guard first < end else { continue }
      add(.zero, users: -1, index, night: first, &sums)
      if end < nights.count { add(.zero, users: 1, index, night: end, &sums) }
      guard let settled = settled(index, on: first, followed, quantities.values) else {
        moving.append(Moving(index: index, first: first))
        continue
      }
      add(settled, users: 1, index, night: first, &sums)
      if end < nights.count { add(settled, users: -1, index, night: end, &sums) }
    }
    if !moving.isEmpty { follow(followed, until: end, &sums) }
  }

  /// Adds the users who begin to count. Once all have been added to the same sums.
  func finish(_ sums: inout DailySums) {
    let traits = traits.span
    arrivals.hand { users, cell, night, length in
      for metric in traits.indices where traits[metric].length == length {
        sums.addIdle(users, cell: cell, night: night, metric: metric)
      }
    }
  }

  /// Finds the metrics of which a user may have something on some night.
  private func locate(_ followed: FollowedUser, _ quantities: MetricQuantities) {
    wanted.removeAll()
    if followed.isIdle {
      wanted.append(each: metricsOfIdle)
    } else if quantities.areOfUser, followed.isReportedOnce, followed.lastRefund == .min {
      let traits = traits.span
      wanted.append(each: metricsNotFixed)
      for metric in quantities.ones where traits[metric].isFixedByWindow { wanted.append(metric) }
      for metric in quantities.others where traits[metric].isFixedByWindow { wanted.append(metric) }
    } else {
      wanted.append(each: metrics.indices)
    }
  }

  private func find(_ followed: FollowedUser, _ sums: inout DailySums) {
    cells.removeAll()
    cells.append(number(of: followed.user.group, &sums))
    let (group, membership) = (followed.user.group, followed.membership)
    for attribute in attributes {
      let value = values[membership.attributes + attribute]
      cells.append(sums.number(of: DailySums.Cell(group: group, attribute: attribute, value: value)))
    }
    for (position, kind) in strata.kinds.enumerated() {
      let stratum = strata.stratum(of: membership, kind)
      cells.append(
        sums.number(of: DailySums.Cell(group: group, attribute: attributeCount + position, value: stratum)))
    }
  }

  /// The number of the cell of a group's users. A partition has few groups, and asks of every user.
  private func number(of group: GroupKey, _ sums: inout DailySums) -> Int {
    for known in groups.span where known.group == group { return known.number }
    let number = sums.number(of: DailySums.Cell(group: group, attribute: nil))
    if groups.count < Self.mostGroups { groups.append(KnownGroup(group: group, number: number)) }
    return number
  }

  private struct KnownGroup: BitwiseCopyable {
    var group: GroupKey
    var number: Int
  }

  private static let mostGroups = 8

  /// Counts users who have nothing of the metric behind the last: users who are there, mature or not.
  private func count(_ users: Int, night: Int, _ sums: inout DailySums) {
    sums.add(.zero, users: users, cells: cells.span, night: night, metric: metrics.count, deferring: false)
  }

  private func add(_ quantity: Quantity, users: Int, _ index: Int, night: Int, _ sums: inout DailySums) {
    sums.add(
      quantity, users: users, cells: cells.span, night: night, metric: index, deferring: traits.span[index].countsValues
    )
  }

  /// The quantity a user has from its first night on, where that is known to stay; nil where it has to be followed.
  private func settled(_ index: Int, on first: Int, _ followed: FollowedUser, _ quantities: RecordSpan<Quantity?>)
    -> Quantity?
  {
    let traits = traits.span
    if followed.isIdle { return traits[index].idleQuantity }
    let isSettled = followed.isSettled(
      isFixedByWindow: traits[index].isFixedByWindow, isMovedByRefunds: traits[index].isMovedByRefunds,
      at: nights.cutoff(first))
    return isSettled ? quantities[index] : nil
  }

  // MARK: - Night by night

  /// Takes the moving metrics on their first night, and again on every night before which something happened; on quiet
  /// nights those alone that the clock may change.
  private func follow(_ followed: FollowedUser, until end: Int, _ sums: inout DailySums) {
    var history: UserHistory?
    var known = Int64.min
    findNightsToLook(followed, until: end)
    var last = -1
    for night in looks.span where night != last {
      last = night
      let cutoff = nights.cutoff(night)
      let isNews = history == nil || followed.events.happenedSomething(in: known..<max(known, cutoff))
      let night = Night(number: night, cutoff: cutoff, isNews: isNews)
      let current = isNews ? earlier.history(of: followed.events, before: cutoff) : history
      guard let current else { continue }
      current.move(to: cutoff)
      accept(
        UserInGroup(history: current, group: followed.user.group, past: followed.user.past), followed.start, night,
        &sums)
      (history, known) = (current, cutoff)
    }
    guard end < nights.count else { return }
    for metric in moving.span { add(metric.quantity, users: -1, metric.index, night: end, &sums) }
  }

  private struct Night {
    var number: Int
    var cutoff: Int64
    /// Something happened since the night looked at before.
    var isNews: Bool
  }

  /// In order, and some of them twice: the nights after an event (of a user of whom all is told once, after a refund), the
  /// first nights of the moving metrics, and where the clock may change one, all nights from the first trial, charge or
  /// failed renewal on: what looks beyond its window begins with one of those.
  private func findNightsToLook(_ followed: FollowedUser, until end: Int) {
    let (moving, traits) = (moving.span, traits.span)
    let first = moving.lazy.map(\.first).min() ?? end
    looks.removeAll()
    func look(_ night: Int) { if night >= first, night < end { looks.append(night) } }
    for metric in moving { look(metric.first) }
    let events = followed.events
    if followed.isReportedOnce, moving.allSatisfy({ traits[$0.index].isFixedByWindow }) {
      for step in followed.user.history.refundSteps { look(nights.firstAfter(step.time)) }
    } else {
      events.forEach { look(nights.firstAfter($0.time)) }
    }
    if moving.contains(where: { metrics[$0.index].looksBeyondWindow }) {
      var begin = Int64.max
      events.forEach { event in
        let isBegin = event.type.isCharge || event.type == .trialStart || event.type == .billingRetry
        if isBegin { begin = min(begin, event.time) }
      }
      if begin < .max { for night in min(nights.firstAfter(begin), end)..<end { look(night) } }
    }
    looks.span.sort(by: <)
  }

  private func accept(_ user: UserInGroup, _ start: Int64, _ night: Night, _ sums: inout DailySums) {
    let moving = moving.span
    for position in moving.indices where moving[position].first <= night.number {
      let metric = metrics[moving[position].index]
      guard night.isNews || moving[position].first == night.number || metric.looksBeyondWindow else { continue }
      let window = metric.window(from: start, cutoff: night.cutoff)
      replace(position, by: window.map { metric.quantity(of: user, in: $0) } ?? .zero, night.number, &sums)
    }
  }

  /// A user's quantity of a metric from one night on.
  private func replace(_ position: Int, by changed: Quantity, _ night: Int, _ sums: inout DailySums) {
    let moving = moving.span
    let known = moving[position]
    if known.first != night {
      guard changed != known.quantity else { return }
      add(known.quantity, users: -1, known.index, night: night, &sums)
    }
    add(changed, users: 1, known.index, night: night, &sums)
    moving[position].quantity = changed
  }
}
