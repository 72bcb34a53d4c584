import Domain
import Jobs

/// Puts together what a run makes of the rows that name one user.
struct TraceBuilder {
  let job: Job
  let ids: UserIDs
  let reading: UserReading
  let plan: MeasurementPlan
  /// The same plan, no metric cut at a cap.
  let uncut: MeasurementPlan
  /// The rows that assign the user, by number.
  private let assignments: [Roster.Row]

  /// Of users with more rows nobody asks what would be otherwise without each of them.
  private static let mostRows = 400

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
    guard let place = reading.place else {
      let fates = FatesOfRows(EventTally(files: reading.units.count), reading)
      trace.rows = reading.units.indices.map { row($0, fates.fate(of: $0) ?? .used) }
      return sorted(trace)
    }
    let roster = reading.roster.memberships(
      partition: place.partition, keeping: job.multipleGroups, order: plan.history.names, abandoned: [])
    let replay = UserReplay(plan: plan, roster: roster, user: place.user)
    let sums = replay.sums(of: reading.events)
    let memberships = roster.range(ofUser: Int(place.user)).map { roster.memberships[$0] }
    trace.memberships = memberships.map { self.membership($0, replay, sums) }
    let fates = FatesOfRows(sums.tally, reading)
    trace.rows = reading.units.indices.map { unit in
      let fate = fates.fate(of: unit) ?? fate(ofAssignment: unit, trace.memberships)
      return row(unit, fate)
    }
    if trace.memberships.contains(where: \.isMeasured) {
      follow(replay, sums, memberships, &trace)
    }
    if trace.memberships.contains(where: \.isMeasured) {
      trace.state = UserState(of: replay.history(of: reading.events).history)
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
      standing: standing(of: membership, replay.events(reading.events)), attributes: attributes)
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

  // MARK: - Rows

  private func row(_ unit: Int, _ fate: UserTrace.Fate) -> UserTrace.Row {
    let row = reading.rows[reading.units[unit].row]
    let part = reading.units[unit].part
    let events = row.events.isEmpty ? [] : row.events[part]
    let assigned = assignments.first { $0.file == unit }
    return UserTrace.Row(
      input: row.input(in: job), file: row.file.displayName, line: row.line,
      part: row.events.count > 1 ? part + 1 : nil,
      time: events.first?.time ?? assigned.map { Instant(milliseconds: $0.time) } ?? row.assignedAt(in: job),
      events: events, texts: row.fields.isEmpty ? [] : named(row.fields, assigned),
      excerpt: Array(row.bytes.prefix(Reject.excerptLength)), fate: fate)
  }

  /// What an assignment says by the public names, where it goes by the catalog's ids.
  private func named(_ texts: [String?], _ assigned: Roster.Row?) -> [String?] {
    guard let assigned, texts.count > 2 else { return texts }
    let names = reading.roster.names
    var texts = texts
    texts[1] = names.offerings.name(assigned.offering)?.text
    texts[2] = names.groups.name(assigned.group)?.text
    return texts
  }

  /// Of an assignment that could be read: whether it is the one that counts.
  private func fate(ofAssignment unit: Int, _ memberships: [UserTrace.Membership]) -> UserTrace.Fate {
    let names = reading.roster.names
    guard let row = assignments.first(where: { $0.file == unit }), !memberships.contains(where: { $0.row == unit })
    else { return .used }
    let membership = memberships.first { $0.offering == names.offerings.name(row.offering) }
    return membership?.group == names.groups.name(row.group) ? .repeatsGroup : .namesOtherGroup
  }

  private func sorted(_ trace: UserTrace) -> UserTrace {
    var trace = trace
    let rows = trace.rows
    // Who is who comes first; what could not be read, so that its time is unknown, last.
    let times = rows.map { $0.time?.milliseconds ?? ($0.texts.count == 2 ? .min : .max) }
    let order = rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var places = rows.indices.map { _ in 0 }
    for (place, row) in order.enumerated() { places[row] = place }
    trace.rows = order.map { rows[$0].renumbered { places[$0] } }
    for membership in trace.memberships.indices {
      trace.memberships[membership].row = trace.memberships[membership].row.map { places[$0] }
    }
    return trace
  }

  // MARK: - What a row does

  private func follow(
    _ replay: UserReplay, _ sums: PartitionSums, _ memberships: [Membership], _ trace: inout UserTrace
  ) {
    let tally = sums.tally
    let used = reading.events.filter { tally.fates[$0.row].used > 0 }
    let (_, history) = replay.history(of: reading.events)
    let rowsOfCharges = replay.rowsOfCharges(used)
    if rowsOfCharges.count == history.charges.count {
      for (number, charge) in history.charges.enumerated() {
        trace.rows[rowsOfCharges[number]].charge = UserTrace.Charge(
          number: number + 1, gross: charge.gross, refunded: charge.refunded, proceeds: charge.proceeds)
      }
    }
    guard reading.events.count <= Self.mostRows else { return }
    // A copy would take the place of what it repeats.
    let counted = replay.sums(of: used)
    for unit in Set(reading.events.map(\.row)) {
      if tally.fates[unit].used > 0 {
        let without = replay.sums(of: used.filter { $0.row != unit })
        trace.rows[unit].effects = effects(counted, without, memberships, trace.memberships)
        guard reading.events.contains(where: { $0.row == unit && $0.head.type.isRefund && !$0.head.isCompanion })
        else { continue }
        if counted.tally.orphanRefunds > without.tally.orphanRefunds {
          trace.rows[unit].fate = .orphan
        } else {
          trace.rows[unit].refund = refund(unit, used, replay, rowsOfCharges)
        }
      } else if case .duplicate = trace.rows[unit].fate {
        trace.rows[unit].fate = .duplicate(of: replay.twin(of: unit, reading.events, used: used))
      }
    }
  }

  /// What a refund changed when it came, before later ones; of one that came before its charge, at the cut-off.
  private func refund(
    _ unit: Int, _ used: [RecordedEvent], _ replay: UserReplay, _ rows: [Int]
  ) -> UserTrace.Refund? {
    let time = used.first { $0.row == unit }?.head.time ?? .max
    let byThen = used.filter { $0.head.time <= time }
    return [byThen, used].lazy.compactMap { events in
      let charges = replay.history(of: events).history.charges
      let rest = replay.history(of: events.filter { $0.row != unit }).history.charges
      guard charges.count == rest.count, charges.count <= rows.count else { return nil }
      let charge = charges.indices.first { charges[$0].refunded != rest[$0].refunded }
      return charge.map { UserTrace.Refund(charge: rows[$0], micros: charges[$0].refunded - rest[$0].refunded) }
    }
    .first
  }

  private func effects(
    _ sums: PartitionSums, _ without: PartitionSums, _ memberships: [Membership], _ traced: [UserTrace.Membership]
  ) -> [UserTrace.Effect] {
    memberships.indices.flatMap { number -> [UserTrace.Effect] in
      guard traced[number].isMeasured, let group = sums.groups[GroupKey(memberships[number])] else { return [] }
      guard let other = without.groups[GroupKey(memberships[number])], other.measuredUsers > 0 else {
        return [UserTrace.Effect(membership: number, metric: nil)]
      }
      return plan.metrics.indices.compactMap { metric in
        let (now, then) = (group.all.metrics[metric].onlyQuantity, other.all.metrics[metric].onlyQuantity)
        guard let now, now != then else { return nil }
        return UserTrace.Effect(
          membership: number, metric: metric, y: now.y - (then?.y ?? 0), x: now.x - (then?.x ?? 0))
      }
    }
  }
}

extension UserTrace.Membership {
  /// The user counts there.
  package var isMeasured: Bool { if case .measured = standing { true } else { false } }
}

extension UserTrace.Row {
  /// The same row, every row it points at under a new number.
  fileprivate func renumbered(_ place: (Int) -> Int) -> UserTrace.Row {
    var row = self
    if case .duplicate(let twin?) = fate { row.fate = .duplicate(of: place(twin)) }
    if let charge = refund?.charge { row.refund?.charge = place(charge) }
    return row
  }
}

extension NamingRow {
  /// The job's name for the row's input.
  fileprivate func input(in job: Job) -> String {
    switch source {
    case .assignments(let number): job.assignments[number].name
    case .identities: job.identities?.name ?? "identities"
    case .purchases: "purchases"
    }
  }

  /// When an assignment row says that the user was assigned, as far as it can be read.
  fileprivate func assignedAt(in job: Job) -> Instant? {
    guard case .assignments(let number) = source, fields.count > 3, let text = fields[3] else { return nil }
    var time = TimeText(job.assignments[number])
    let bytes = Array(text.utf8)
    return (try? time.parse(bytes.span)).map { Instant(milliseconds: $0) }
  }
}
