import Domain
import Jobs
import Measurement

/// Puts together what a run makes of the rows that name one user.
struct TraceBuilder {
  let job: Job
  let ids: UserIDs
  let reading: UserReading
  let plan: MeasurementPlan
  /// The same plan, no metric cut at a cap.
  let uncut: MeasurementPlan
  /// The rows that assign the user, by number.
  let assignments: [Roster.Row]

  init(job: Job, ids: UserIDs, reading: UserReading, plan: MeasurementPlan, uncut: MeasurementPlan) {
    self.job = job
    self.ids = ids
    self.reading = reading
    self.plan = plan
    self.uncut = uncut
    // Once the memberships are taken, the roster has no rows any more.
    assignments = reading.roster.rows.sorted { $0.file < $1.file }
  }

  var trace: UserTrace {
    var trace = UserTrace(user: ids.user, ids: ids.all)
    guard let position = reading.position else {
      let outcomes = OutcomesOfRows(EventTally(files: reading.units.count), reading)
      trace.rows = reading.units.indices.map { row($0, outcomes.outcome(of: $0) ?? .used) }
      return sorted(trace)
    }
    let roster = reading.roster.memberships(
      partition: position.partition, retaining: job.multipleGroups, order: plan.history.names, abandoned: [])
    let replay = UserReplay(plan: plan, roster: roster, user: position.user)
    let sums = replay.sums(of: reading.events)
    let memberships = roster.range(ofUser: Int(position.user)).map { roster.memberships[$0] }
    trace.memberships = memberships.map { self.membership($0, replay, sums) }
    let outcomes = OutcomesOfRows(sums.tally, reading)
    trace.rows = reading.units.indices.map { unit in
      let outcome = outcomes.outcome(of: unit) ?? outcome(ofAssignment: unit, trace.memberships)
      return row(unit, outcome)
    }
    if trace.memberships.contains(where: \.isMeasured) {
      RowEffects(reading: reading, plan: plan, replay: replay, memberships: memberships).add(sums, to: &trace)
    }
    if trace.memberships.contains(where: \.isMeasured) {
      trace.state = replay.withHistory(of: reading.events) { UserState(of: $1) }
    }
    return sorted(trace)
  }

  // MARK: - Who counts

  private func membership(
    _ membership: Membership, _ replay: UserReplay, _ sums: PartitionSums
  ) -> UserTrace.Membership {
    let (roster, names) = (reading.roster, reading.roster.names)
    let row = assignments.first { row in
      row.offering == membership.offering && row.group == membership.group && row.time == membership.assignedAt
        && row.attributes == membership.attributes
    }
    let attributes = roster.attributes.enumerated().map { number, name in
      (name, roster.values[number].name(replay.roster.values[membership.attributes + number]))
    }
    var traced = UserTrace.Membership(
      offering: names.offerings.name(membership.offering) ?? "", group: names.groups.name(membership.group) ?? "",
      assignedAt: Instant(milliseconds: membership.assignedAt), row: row.map { Int($0.file) },
      standing: replay.withEvents(reading.events) { standing(of: membership, $0) }, attributes: attributes)
    if case .measured(let start) = traced.standing {
      let whole = UserReplay(plan: uncut, roster: replay.roster, user: replay.user).sums(of: reading.events)
      traced.values = plan.metrics.indices.map { metric in
        value(of: metric, GroupKey(membership), sums, uncut: whole, from: start.milliseconds)
      }
    }
    return traced
  }

  private func standing(of membership: Membership, _ events: UserEvents) -> UserTrace.Standing {
    switch plan.population.verdict(on: membership, events: events) {
    case .measured(let start): .measured(from: Instant(milliseconds: start))
    case .inSeveralGroups: .severalGroups
    case .inExcludedGroup: .excludedGroup
    case .notEnrolled: .notEnrolled
    case .unexposed: .unexposed
    case .earlierCustomer: .earlierCustomer(events.firstCharge.map { Instant(milliseconds: $0) })
    }
  }

  private func value(
    of metric: Int, _ group: GroupKey, _ sums: PartitionSums, uncut: PartitionSums, from start: Int64
  ) -> UserTrace.Value {
    let measured = plan.metrics[metric].measured
    let length = measured.request.windowMilliseconds
    var value = UserTrace.Value(
      metric: measured, windowEnd: measured.isAtCutoff ? nil : length.map { Instant(milliseconds: start + $0) },
      awaitsCap: plan.metrics[metric].hasPercentileCap)
    guard let quantity = sums.groups[group]?.all.metrics[metric].onlyQuantity else { return value }
    (value.y, value.x, value.covariate) = (quantity.y, quantity.x, quantity.c)
    let whole = uncut.groups[group]?.all.metrics[metric].onlyQuantity
    if let whole, whole.y != quantity.y { value.uncapped = whole.y }
    return value
  }
}

extension UserTrace.Membership {
  /// The user counts there.
  package var isMeasured: Bool { if case .measured = standing { true } else { false } }
}
