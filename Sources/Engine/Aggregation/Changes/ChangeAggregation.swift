import Measurement

/// Takes one user's quantities at an earlier night's cut-off beside those of the run, and says why they differ.
final class ChangeAggregation {
  private let plan: ChangePlan
  private let metrics: [CompiledMetric]
  private let isDeferred: [Bool]
  private let population: Population
  /// The run's cut-off, in milliseconds since 1970.
  private let cutoff: Int64
  private let earlier: EarlierHistory
  private let late: LateAggregation
  private var knownEvents = EventsByKind()
  /// The quantities of the user at hand, one a metric that is followed: at the earlier cut-off by all files, at the
  /// run's, and, where they may differ, at the earlier one by the files that night had read, and at the run's without
  /// the refunds since.
  private var then: [Quantity?] = []
  private var now: [Quantity?] = []
  private var known: [Quantity?]?
  private var unrefunded: [Quantity?]?

  init(_ plan: ChangePlan, of run: MeasurementPlan) {
    self.plan = plan
    metrics = plan.metrics.map { run.metrics[$0] }
    isDeferred = metrics.map(\.hasPercentileCap)
    population = run.population
    cutoff = run.cutoff
    earlier = EarlierHistory(run.history)
    late = LateAggregation(plan, run.history)
  }

  /// The next user's turn, with all that was read of it.
  func begin(_ events: UserEvents) { late.begin(events) }

  /// Adds what a user brought then, and what it brings now.
  ///
  /// - Parameter quantities: the quantities at the run's cut-off; nil where the user does not count then.
  func add(_ followed: FollowedUser, quantities: RecordSpan<Quantity?>, to sums: inout ChangeSums) {
    let membership = followed.membership
    let isLeftOutThen = membership.isInSeveralGroups && membership.otherGroupAt ?? .max < plan.cutoff
    guard !isLeftOutThen else { return }
    now.removeAll(keepingCapacity: true)
    for index in plan.metrics { now.append(quantities[index]) }
    accept(followed, from: followed.start, by: followed.events, settled: true, into: &then)
    known = late.isLate ? quantitiesByKnownFiles(followed) : nil
    if followed.start < plan.cutoff { late.add(followed, to: &sums) }
    unrefunded = followed.start < plan.cutoff ? quantitiesWithoutLaterRefunds(followed) : nil
    sums.update(followed.user.group) { changes in
      for position in metrics.indices {
        add(position, isNew: followed.start >= plan.cutoff, to: &changes[position])
      }
    }
  }

  private func add(_ position: Int, isNew: Bool, to change: inout ChangeSums.MetricChange) {
    let isDeferred = isDeferred[position]
    func add(_ quantity: Quantity, _ users: Int, to part: ChangePart) {
      guard let part = ChangePart.ofUsers.firstIndex(of: part) else { return }
      change.since[part].add(quantity, users: users, deferring: isDeferred)
    }
    if let known = known.map({ $0[position] }) ?? then[position] { change.known.add(known, deferring: isDeferred) }
    if let then = then[position] { change.before.add(then, deferring: isDeferred) }
    switch (then[position], now[position]) {
    case (nil, nil): break
    case (nil, let now?): add(now, 1, to: isNew ? .newUsers : .windowsEnded)
    case (let then?, nil): add(then, -1, to: .multipleGroups)
    case (let then?, let now?):
      let between = unrefunded?[position] ?? now
      if between != then {
        add(then, -1, to: .laterEvents)
        add(between, 1, to: .laterEvents)
      }
      if between != now {
        add(between, -1, to: .refunds)
        add(now, 1, to: .refunds)
      }
    }
  }

  // MARK: - Quantities

  /// The quantities at the earlier cut-off; nil where the user did not count yet.
  ///
  /// - Parameter settled: `events` are all there are, so that what cannot have changed since needs no other history.
  private func accept(
    _ followed: FollowedUser, from start: Int64, by events: UserEvents, settled: Bool,
    into quantities: inout [Quantity?]
  ) {
    quantities.removeAll(keepingCapacity: true)
    var history: UserHistory?
    for (position, metric) in metrics.enumerated() {
      guard start < plan.cutoff, let window = metric.window(from: start, cutoff: plan.cutoff) else {
        quantities.append(nil)
        continue
      }
      if settled, followed.user.history.isEmpty {
        quantities.append(metric.idleQuantity)
      } else if settled, let now = now[position], followed.isSettled(metric, at: plan.cutoff) {
        quantities.append(now)
      } else {
        let current = history ?? earlier.history(of: events, before: plan.cutoff)
        history = current
        let user = UserInGroup(history: current, group: followed.user.group, past: followed.user.past)
        quantities.append(metric.quantity(of: user, in: window))
      }
    }
  }

  /// The quantities at the earlier cut-off without the events of files that night had not read, of which the user has
  /// some.
  private func quantitiesByKnownFiles(_ followed: FollowedUser) -> [Quantity?] {
    knownEvents.choose(from: followed.events) { !plan.isLate($0) }
    let events = knownEvents.all
    var quantities = [Quantity?](repeating: nil, count: metrics.count)
    if case .measured(let start) = population.verdictAlone(on: followed.membership, events: events) {
      accept(followed, from: start, by: events, settled: false, into: &quantities)
    }
    return quantities
  }

  /// The quantities at the run's cut-off, had no refund come since the earlier one; nil where none has.
  private func quantitiesWithoutLaterRefunds(_ followed: FollowedUser) -> [Quantity?]? {
    guard followed.events.refunds.contains(where: { $0.time >= plan.cutoff && $0.time < cutoff }) else { return nil }
    let history = earlier.history(of: followed.events, before: cutoff) {
      $0.time < plan.cutoff || !$0.type.isRefund || $0.time >= cutoff
    }
    let user = UserInGroup(history: history, group: followed.user.group, past: followed.user.past)
    return metrics.map { metric in
      metric.window(from: followed.start).map { metric.quantity(of: user, in: $0) }
    }
  }
}
