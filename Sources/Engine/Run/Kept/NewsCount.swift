import Domain
import Jobs
import Measurement
import Platform
import Synchronization

/// Measures a night by counting anew only those of whom there is news since the night that was kept: from that one's sums it
/// takes what they came to then, and adds what they come to now.
///
/// What a user comes to follows from its own rows and the cut-off alone, or from what `AffectedUsers` draws in, and `Validity`
/// says until when it holds. Whatever else has changed makes the kept night unusable, and everybody is counted.
struct NewsCount {
  let engine: NativeEngine
  let night: KeptNight
  let keeper: NightKeeper

  private var job: Job { engine.job }

  /// Changes are told since the night that is kept.
  let isSinceKept: Bool
  /// Changes are told since the night that the kept night told them since.
  let isSinceSame: Bool

  init(_ engine: NativeEngine, _ night: KeptNight, _ keeper: NightKeeper) {
    (self.engine, self.night, self.keeper) = (engine, night, keeper)
    let (since, known) = (engine.since, night.told.since)
    isSinceKept =
      since.map { $0.cutoff == night.told.cutoff && $0.hasNames(of: night.told.logs.map { [$0.input, $0.file] }) }
      ?? false
    isSinceSame = since != nil && since?.cutoff == known?.cutoff && since?.files == known?.files
  }

  /// - Throws: `KeptNight.Unusable` or `Inseparable` where everybody has to be counted; as `NativeEngine.measure` else.
  func outcome() async throws -> NativeEngine.Outcome {
    var timings = Timings()
    async let kept = AttributedEvents(
      encoded: night.sums, nights: night.told.nights, metrics: night.told.metrics)
    let types = EventTypes(named: job.namedEventTypes)
    let names = EventNames()
    let roster = Roster(
      names: names, attributes: job.segmentAttributes, identities: .none, onto: nil, expected: night.users.counts)
    do { try night.names.number(names, values: roster.values) } catch { throw KeptNight.Unusable() }
    let reference = try timings.time("tables") { try ReferenceTables(job: job) }
    guard keeper.tables(of: reference) == night.told.tables else { throw KeptNight.Unusable() }
    let logs = try PurchaseLogs(
      job, names: names, types: types, cutoff: engine.cutoff, threads: engine.threads, store: engine.store,
      memory: engine.memory, keepsFiles: true)
    let knownLogs = try await KnownFiles(night.told, logs: logs, entries: entries(of: logs))
    // What is new in the logs needs no assignments.
    async let found = news(in: logs, knownLogs, reference.rates)
    let assignments = try await timings.time("assignments") {
      try await engine.readAssignments(into: roster, logs, reference.catalog)
    }
    guard assignments.abandoned.isEmpty,
      roster.firstAssignment?.utcDay == Instant(milliseconds: night.told.firstAssignment).utcDay
    else { throw KeptNight.Unusable() }
    let inputs = NightKeeper.Inputs(roster, logs, assignments.readings, reference)
    let files = try knownLogs.matching(assignments.readings.map(\.account), night.told)
    let news = try await found
    var affected = try await timings.time("news") { try await affectedUsers(inputs, files, news) }
    let count = try await timings.time("events") { try await read(inputs, files, &affected) }
    try PurchaseLog.refuseUnknownAttributes(zip(logs.files, count.readings).map { ($0.log, $1) })
    let plans = try plans(inputs, types, count.readings)
    try engine.refuseTooLarge(plans.now, roster, reference, assignments: assignments.readings)
    let users = KeptUsers()
    let sums: AttributedEvents
    do { sums = try await kept } catch { throw KeptNight.Unusable() }
    let (attributed, unpriced) = try await timings.time("attribution") {
      try await attribute(count, plans, files, from: sums, keeping: users)
    }
    let counts = try exchangedCounts(count, files)
    let strangers = try exchangedStrangers(count)
    try await keep(users, except: affected)
    await keeper.keep(
      attributed, counts: counts, strangers: strangers, sought: sought(count, except: affected), unpriced: unpriced,
      of: users, plans.now, inputs, readings: count.readings)
    var book = LogLedger(count.readings, counts: counts, strangers: strangers)
    book.book(attributed)
    unpriced.book(in: &book)
    let everybody = MemoryPartitions(roster: roster, chunks: [], outside: nil, kept: nil)
    let assignedIDs = try await everybody.assignedIDs(beside: book.strangers, threads: engine.threads)
    let assembly = MeasurementAssembly(
      job: job, cutoff: engine.cutoff, threads: engine.threads, reference: reference, roster: roster, plan: plans.now,
      firstAssignment: inputs.firstAssignment)
    return try assembly.outcome(
      attributed, book, assignments: assignments.readings, assignedIDs, timings: timings)
  }

  // MARK: - Events

  /// What became of the affected users' events, and of all files.
  private struct Count {
    var readings: [FileReading]
    var then: RoutedEvents
    var now: RoutedEvents
    /// Of both, charges and refunds without an exchange rate.
    var unpriced: (then: UnpricedRejects, now: UnpricedRejects)
  }

  private func read(
    _ inputs: NightKeeper.Inputs, _ files: KnownFiles, _ affected: inout AffectedUsers
  ) async throws -> Count {
    let sought = HashSet(affected.sought)
    while true {
      let rosters = try await rosters(of: affected, inputs.roster, files)
      try await rosters.then.users.settle(threads: engine.threads)
      try await rosters.now.users.settle(threads: engine.threads)
      func routing(_ roster: Roster, _ rates: ExchangeRates, _ cutoff: Int64) -> EventRouting {
        EventRouting(
          of: roster, rates: rates, cutoff: Instant(milliseconds: cutoff), files: inputs.logs.files.count, job)
      }
      let then = routing(rosters.then, night.rates, night.told.cutoff)
      let now = routing(rosters.now, inputs.reference.rates, engine.cutoff.milliseconds)
      let hashes = HashSet(affected.hashes)
      let owners = Mutex<Set<UInt64>>([])
      let readings = try await inputs.logs.read(
        inputs.logs.files,
        state: { AffectedSink(then: then.makeRouter(), now: now.makeRouter(), affected: hashes, sought: sought) }
      ) { sink, number, file in
        sink.begin(number, isKnown: files.logs[number] != nil)
        let reading = try inputs.logs.read(file, into: &sink)
        if sink.isKnown { then.take(sink.then, file: number) }
        now.take(sink.now, file: number)
        owners.withLock { [found = sink.owners] in $0.formUnion(found) }
        return reading
      }
      guard readings.allSatisfy({ $0.isWhole && $0.sameAs == nil }) else { throw KeptNight.Unusable() }
      if try await affected.draw(in: owners.withLock { $0 }, of: inputs.roster, threads: engine.threads) { continue }
      return Count(
        readings: readings, then: try await then.finish(threads: engine.threads),
        now: try await now.finish(threads: engine.threads), unpriced: (then.unpriced, now.unpriced))
    }
  }

  /// The affected users with the rows that assigned them: those that the kept night had, and all.
  private func rosters(
    of affected: AffectedUsers, _ roster: Roster, _ files: KnownFiles
  ) async throws -> (then: Roster, now: Roster) {
    let (then, now) = (Roster(someOf: roster), Roster(someOf: roster))
    _ = try await TaskPool.fold(UserDirectory.partitionCount, limit: engine.threads, state: {}) { _, partition in
      let places = affected.places[partition]
      guard !places.isEmpty else { return }
      // By number, for it is asked of every row.
      var pasts = [AffectedUsers.Past?](repeating: nil, count: roster.users.count(partition: partition))
      for place in places { pasts[Int(place.user)] = place.past }
      roster.hand(partition: partition, to: now) { pasts[Int($0.user)] != nil }
      roster.hand(partition: partition, to: then) { row in
        switch pasts[Int(row.user)] {
        case .allRows: true
        case .someRows: files.hadRow(row)
        case nil, .noRows: false
        }
      }
    }
    return (then, now)
  }

  // MARK: - Sums

  /// How the affected users were counted then, and how they are now.
  private struct Plans {
    var then: MeasurementPlan
    var now: MeasurementPlan
  }

  private func plans(
    _ inputs: NightKeeper.Inputs, _ types: EventTypes, _ logs: [FileReading]
  ) throws -> Plans {
    func plan(
      _ cutoff: Instant, _ since: EarlierCount?, _ reference: ReferenceTables
    ) throws -> MeasurementPlan {
      try MeasurementPlan(
        job: job, cutoff: cutoff, looksBack: true, roster: inputs.roster, reference: reference, types: types,
        feeds: inputs.logs.feeds, since: since.map { ($0, inputs.assignments, logs) })
    }
    let then = try plan(
      Instant(milliseconds: night.told.cutoff), isSinceKept ? nil : engine.since,
      inputs.reference.converting(by: night.rates))
    let now = try plan(engine.cutoff, engine.since, inputs.reference)
    guard NightKeeper.chargeValues(now) == night.told.chargeValues, then.nights.firstDay == now.nights.firstDay else {
      throw KeptNight.Unusable()
    }
    return Plans(then: then, now: now)
  }

  private func attribute(
    _ count: Count, _ plans: Plans, _ files: KnownFiles, from kept: AttributedEvents, keeping users: KeptUsers
  ) async throws -> (all: AttributedEvents, unpriced: UnpricedRows) {
    var then = try await count.then.partitions().attribute(
      by: plans.then, keeping: job.multipleGroups, abandoned: [], threads: engine.threads)
    var now = try await count.now.partitions(keeping: users).attribute(
      by: plans.now, keeping: job.multipleGroups, abandoned: [], threads: engine.threads)
    var unpriced = night.unpriced.renumbered(files.logNumbers)
    try unpriced.exchange(
      UnpricedRows(then.sums.tally.takeRejects(), of: count.unpriced.then),
      for: UnpricedRows(now.sums.tally.takeRejects(), of: count.unpriced.now))
    guard unpriced.count <= UnpricedRows.most else { throw KeptNight.Unusable() }
    var all = try settled(kept, plans, files)
    if isSinceKept { all.sums.changes = try all.sums.changesOfNobody(but: then.sums, plans.now) }
    try all.exchange(then, for: now)
    return (all, unpriced)
  }

  /// What all users came to on the kept night, with the files' numbers and the nights of this one.
  private func settled(_ kept: AttributedEvents, _ plans: Plans, _ files: KnownFiles) throws -> AttributedEvents {
    var shape = plans.then.shape
    shape.files = night.told.logs.count
    let own = isSinceKept ? night.told.since : engine.since
    shape.assignmentFiles = own == nil ? 0 : night.told.assignments.count
    shape.followedMetrics = own == nil ? 0 : plans.now.changes?.metrics.count ?? shape.followedMetrics
    var kept = kept
    do { try kept.refuseMisfit(shape) } catch { throw KeptNight.Unusable() }
    kept.sums.tally = kept.sums.tally.renumbered(files.logNumbers, files: files.logs.count)
    if !isSinceKept {
      kept.sums.changes = try kept.sums.changes.renumbered(
        logs: files.logNumbers, assignments: files.assignmentNumbers)
    }
    kept.sums.daily = kept.sums.daily.grown(to: plans.now.nights.count)
    return kept
  }

  private func exchangedCounts(_ count: Count, _ files: KnownFiles) throws -> [EventRouter.Counts] {
    files.logs.enumerated().map { number, known in
      guard let known else { return count.now.counts[number] }
      var counts = night.told.logs[known].counts
      counts.exchange(count.then.counts[number], for: count.now.counts[number])
      return counts
    }
  }

  private func exchangedStrangers(_ count: Count) throws(Inseparable) -> UnassignedPurchases {
    var strangers = night.told.strangers
    try strangers.exchange(count.then.strangers, for: count.now.strangers)
    return strangers
  }

  // MARK: - For the next night

  /// Adds everybody else to the affected users.
  private func keep(_ users: KeptUsers, except affected: AffectedUsers) async throws {
    let hashes = HashSet(affected.hashes)
    _ = try await TaskPool.run(UserDirectory.partitionCount, limit: engine.threads, state: {}) { [night] _, number in
      let (known, counted) = (night.users[number], users[number])
      var all = KeptUsers.Partition(room: known.hashes.count + counted.hashes.count)
      for user in known.hashes.indices where !hashes.contains(known.hashes[user]) {
        all.append(known.hashes[user], digest: known.digests[user], end: known.ends[user])
      }
      for user in counted.hashes.indices {
        all.append(counted.hashes[user], digest: counted.digests[user], end: counted.ends[user])
      }
      users[number] = all
    }
  }

  private func sought(_ count: Count, except affected: AffectedUsers) -> [SoughtCharge] {
    Array(Set(night.sought.filter { !affected.hashes.contains($0.seeker) }).union(count.now.sought))
  }
}

extension PartitionSums {
  /// What the earlier night that is kept came to without some of its users: nothing of it has changed since.
  ///
  /// - Parameter some: what these came to.
  fileprivate func changesOfNobody(but some: PartitionSums, _ plan: MeasurementPlan) throws(Inseparable) -> ChangeSums {
    guard let changes = plan.changes else { return ChangeSums(metrics: 0) }
    var sums = ChangeSums(metrics: changes.metrics.count)
    for (key, group) in groups {
      let theirs = some.groups[key]
      guard group.all.users > theirs?.all.users ?? 0 else { continue }
      for (place, metric) in changes.metrics.enumerated() {
        var rest = group.all.metrics[metric]
        try rest.exchange(theirs?.all.metrics[metric], for: nil)
        rest.immature = 0
        if !plan.metrics[metric].hasPercentileCap { rest.takeCounts() }
        sums.update(key) { $0[place] = ChangeSums.MetricChange(known: rest, before: rest) }
      }
    }
    return sums
  }
}
