import Domain
import Foundation
import Jobs
import Platform
import Statistics
import Synchronization

/// Measures a job in this process: inputs in, exact sums out.
///
/// Files are read side by side by a bounded number of tasks, events routed to partitions of users; partitions
/// are attributed and aggregated each by itself and merged by exact addition.
package struct NativeEngine {
  package let job: Job
  /// T.
  package let cutoff: Instant
  package let threads: Int
  /// Whether every night since the first assignment is measured beside the one that ends at T.
  package var looksBack = true

  package init(job: Job, cutoff: Instant, threads: Int, looksBack: Bool = true) {
    self.job = job
    self.cutoff = cutoff
    self.threads = threads
    self.looksBack = looksBack
  }

  /// What measuring came to.
  package struct Outcome {
    package var measurement: Measurement
    package var metrics: [MeasuredMetric]
    package var timings: Timings
    /// What the one who waits for the run must hear at once.
    package var warnings: [String]
  }

  /// - Throws: `OfferliftError`: a missing input (66), a damaged one or too many rejects (65), a wrong column (78).
  package func measure() async throws -> Outcome {
    var timings = Timings()
    let reference = try timings.time("tables") { try ReferenceTables(job: job) }
    let types = EventTypes(named: job.namedEventTypes)
    let names = EventNames()
    if job.purchases.contains(where: \.format.tellsTransfers) {
      try await timings.time("transfers") { try await readTransfers(into: reference.identityLinks, names, types) }
    }
    let identities = reference.identityLinks.finish()
    let roster = Roster(names: names, attributes: job.segmentAttributes, identities: identities)

    let assignments = try await timings.time("assignments") {
      try await readAssignments(into: roster, reference.catalog, types)
    }
    try AssignmentTable.refuseUnknownAttributes(of: job, roster)
    try BaselineRule(job: job).verify(roster.groups(toMeasureBy: job, catalog: reference.catalog))
    let log = try await timings.time("events") {
      try await readEvents(roster, reference, types, firstFile: assignments.readings.count)
    }
    var readings = assignments.readings + log.readings
    var strangers = readings.reduce(into: Strangers()) { $0.merge($1.strangers) }
    let assignedIDs = await AssignedIDs.look(at: roster.users, beside: strangers, threads: threads)
    let earlyTimes = readings.reduce(into: [:]) { $0[$1.account.input, default: EarlyTimes()].merge($1.earlyTimes) }
    let firstAssignment = roster.firstAssignment
    let plan = try self.plan(
      roster, reference, types, files: readings.count,
      feeds: FeedIndex(ofLogFile: log.feeds, firstLogFile: assignments.readings.count))
    let sums = await timings.time("attribution") {
      await aggregate(plan, roster, log.chunks, abandoned: assignments.abandoned)
    }
    let outside = await timings.time("outside") { await aggregateOutside(plan, log) }
    strangers.unassigned += sums.tally.unassignedPurchases
    settle(&readings, sums.tally, log.rateless.all, firstLogFile: assignments.readings.count)
    readings += reference.readings
    let calls = readings.reduce(into: OfferingCalls()) { $0.merge($1.calls) }
    let notes = readings.reduce(into: FileNotes()) { $0.merge($1.notes) }
    let accounts = try Accounting(job: job).checked(readings)
    if sums.hasOverflowed { throw tooMuchMoney }
    let builder = MeasurementBuilder(
      metrics: plan.metrics, roster: roster, job: job, catalog: reference.catalog, facts: plan.facts,
      types: types, tables: plan.tables)
    let offerings = try builder.offerings(sums)
    let measurement = Measurement(
      offerings: offerings, accounts: accounts.accounts, rejects: accounts.rejects,
      orphanRefunds: sums.tally.orphanRefunds,
      notices: reference.notices(products: plan.facts, unknownPeriods: sums.unknownPeriods) + identities.notices
        + notes.notices,
      daily: try builder.nights(sums.daily, plan.nights),
      freshness: log.days.freshness(before: cutoff),
      oddPrices: reference.oddPrices(sums.oddPrices, products: plan.facts), outside: outside.rows(names: roster.names),
      offeringCalls: calls, strangers: strangers, assignedIDs: assignedIDs, earlyTimes: earlyTimes,
      firstAssignment: firstAssignment)
    return Outcome(
      measurement: measurement, metrics: plan.metrics.map(\.measured), timings: timings,
      warnings: readings.compactMap(\.warning))
  }

  // MARK: - Identities

  /// A first pass over the logs that tell who became whom: assignments and events are read by it.
  private func readTransfers(into links: IdentityLinks, _ names: EventNames, _ types: EventTypes) async throws {
    let files = try logFiles(names: names, types).filter { $0.log.input.format.tellsTransfers }
    _ = try await TaskPool.run(files.count, limit: threads, state: {}) { [cutoff] _, number in
      var sink = TransferCollector(links: links, cutoff: cutoff)
      return try files[number].log.read(files[number].file, into: &sink)
    }
  }

  // MARK: - Assignments

  private func readAssignments(
    into roster: Roster, _ catalog: Catalog, _ types: EventTypes
  ) async throws -> (readings: [FileReading], abandoned: Set<Int>) {
    if job.population == .logged {
      return ([], try await readLoggedAssignments(into: roster, types))
    }
    let files = try job.assignments.flatMap { input in
      let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: cutoff, roster: roster)
      return try input.files(relativeTo: job.file).map { (table, $0) }
    }
    let results = try await TaskPool.run(files.count, limit: threads, state: {}) { _, number in
      try files[number].0.read(files[number].1, number: number)
    }
    let abandoned = Set(results.indices.filter { !results[$0].isWhole })
    return (results.map(\.reading), abandoned)
  }

  /// A first pass over the log, for the assignments alone; the files that turned out damaged come back.
  private func readLoggedAssignments(into roster: Roster, _ types: EventTypes) async throws -> Set<Int> {
    let files = try logFiles(names: roster.names, types)
    let wanted = job.offerings.map { Set($0.map { roster.names.offerings.code($0) }) }
    let cutoff = cutoff
    let readings = try await TaskPool.run(files.count, limit: threads, state: {}) { _, number in
      var sink = LoggedAssignments(roster: roster, cutoff: cutoff, wanted: wanted, file: number)
      return try files[number].log.read(files[number].file, into: &sink)
    }
    return Set(readings.indices.filter { readings[$0].account.setAside[.corruptFile] != nil })
  }

  // MARK: - Events

  private struct Log {
    var readings: [FileReading]
    /// The feed of each file.
    var feeds: [UInt8]
    var chunks: [EventChunks]
    var rateless: RatelessCharges
    var days: EventDays
    /// Users in no offering, and their events, where the job asks for them.
    var outside: (users: OutsideUsers, chunks: [EventChunks])?
  }

  private func readEvents(
    _ roster: Roster, _ reference: ReferenceTables, _ types: EventTypes, firstFile: Int
  ) async throws -> Log {
    let files = try logFiles(names: roster.names, types)
    let chunkLists = ChunkLists()
    let outside = job.countsOutside ? (users: OutsideUsers(), lists: ChunkLists()) : nil
    let rateless = RatelessCharges()
    let days = Mutex(EventDays())
    let makeRouter: @Sendable () -> EventRouter = { [cutoff] in
      EventRouter(
        users: roster.users, identities: roster.identities, rates: reference.rates, cutoff: cutoff,
        chunks: chunkLists.add(), rateless: rateless,
        outside: outside.map { OutsideEvents(users: $0.users, chunks: $0.lists.add()) })
    }
    let readings = try await TaskPool.run(files.count, limit: threads, state: makeRouter) { router, number in
      router.file = UInt32(firstFile + number)
      var reading = try files[number].log.read(files[number].file, into: &router)
      reading.calls = router.calls
      reading.strangers = router.strangers
      reading.earlyTimes = router.earlyTimes
      for (reason, count) in router.setAside { reading.account.setAside[reason, default: 0] += count }
      days.withLock { [seen = router.days] in $0.merge(seen) }
      return reading
    }
    try PurchaseLog.refuseUnknownAttributes(zip(files, readings).map { ($0.log, $1) })
    return Log(
      readings: readings, feeds: files.map(\.log.input.format.feed), chunks: chunkLists.all, rateless: rateless,
      days: days.withLock { $0 }, outside: outside.map { ($0.users, $0.lists.all) })
  }

  private func logFiles(names: EventNames, _ types: EventTypes) throws -> [(log: PurchaseLog, file: InputFile)] {
    try job.purchases.flatMap { input in
      let log = try PurchaseLog(input, of: job, types: types, names: names)
      return try input.table.files(relativeTo: job.file).map { (log, $0) }
    }
  }

  // MARK: - Sums

  private func plan(
    _ roster: Roster, _ reference: ReferenceTables, _ types: EventTypes, files: Int,
    feeds: FeedIndex
  ) throws -> PartitionAggregation {
    let facts = ProductFacts(
      names: roster.names.products.names, products: reference.products, catalog: reference.catalog)
    let defaults = reference.catalog.defaultProducts(names: roster.names, facts: facts)
    let details = ChargeDetailsIndex(roster.names, attributes: job.chargeAttributes)
    let metrics = try job.metrics.map { request in
      guard let definition = MetricCatalog.metric(named: request.quantile?.of ?? request.name) else {
        throw OfferliftError(
          .badJobFile, "\(job.file.lastPathComponent), line \(request.line): no metric \(request.name)")
      }
      let context = MetricContext(request: request, types: types, facts: facts, defaults: defaults)
      return CompiledMetric(
        definition, job: job, context: context, attributes: roster.attributes, cutoff: cutoff)
    }
    return PartitionAggregation(
      metrics: metrics, facts: facts, types: types, rates: reference.rates, order: RosterOrder(roster), feeds: feeds,
      details: details,
      population: Population(
        rule: job.population, enrolment: job.enrolment, newCustomersOnly: job.newCustomersOnly),
      attributes: roster.attributes, fileCount: files,
      nights: Nights(
        from: looksBack ? roster.firstAssignment.map { max($0, job.enrolment?.from ?? $0) } : nil, to: cutoff),
      cutoff: cutoff,
      tables: ArmTablePlan(
        job: job, types: types, details: details,
        displayedPrices: reference.catalog.displayedPrices(
          names: roster.names, facts: facts, reporting: reference.rates.reporting)))
  }

  private func aggregate(
    _ plan: PartitionAggregation, _ roster: Roster, _ chunks: [EventChunks], abandoned: Set<Int>
  ) async -> PartitionSums {
    let rule = job.multipleGroups
    let parts = await TaskPool.fold(
      UserDirectory.partitionCount, limit: threads, state: { plan.emptySums }
    ) { sums, partition in
      let memberships = roster.memberships(
        partition: partition, keeping: rule, order: plan.order, abandoned: abandoned)
      plan.add(memberships, events: chunks, partition: partition, to: &sums)
    }
    return parts.reduce(into: plan.emptySums) { $0.merge($1) }
  }

  /// What users in no offering bought.
  private func aggregateOutside(_ plan: PartitionAggregation, _ log: Log) async -> OutsideTally {
    guard let outside = log.outside else { return OutsideTally() }
    let aggregation = OutsideAggregation(plan: plan, users: outside.users, chunks: outside.chunks)
    let parts = await TaskPool.fold(UserDirectory.partitionCount, limit: threads, state: { OutsideTally() }) {
      aggregation.add($1, to: &$0)
    }
    return parts.reduce(into: OutsideTally()) { $0.merge($1) }
  }

  /// Writes into each log file's account what became of its events after reading.
  private func settle(_ readings: inout [FileReading], _ tally: EventTally, _ places: [Reject], firstLogFile: Int) {
    for file in firstLogFile..<readings.count {
      readings[file].account.used += tally.used[file]
      let counts: [(SetAsideReason, Int)] = [
        (.duplicate, tally.duplicates[file]), (.excludedUser, tally.excluded[file]),
        (.unassigned, tally.unassigned[file]),
      ]
      for (reason, count) in counts where count > 0 {
        readings[file].account.setAside[reason, default: 0] += count
      }
    }
    for number in tally.rateless { readings[places[number].account].reject(places[number]) }
  }

  private var tooMuchMoney: OfferliftError {
    OfferliftError(
      .badData,
      "a charge is more than 9223372036854.775807 \(job.currency) once converted; look for a price or a rate that is far too large."
    )
  }
}

/// The event chunks of every reading task.
private final class ChunkLists: Sendable {
  private let lists = Mutex<[EventChunks]>([])

  func add() -> EventChunks {
    lists.withLock {
      $0.append(EventChunks(partitions: UserDirectory.partitionCount))
      return $0[$0.count - 1]
    }
  }

  var all: [EventChunks] { lists.withLock { $0 } }
}

extension Job {
  /// Event types the job names anywhere.
  package var namedEventTypes: [String] {
    let ofServer = purchases.contains { $0.format == .apiLog } ? APIEventType.allCases.map(\.rawValue) : []
    return eventTypes + ofServer + funnels.flatMap(\.eventTypes)
      + metrics.flatMap(\.eventTypes)
  }

  /// Every attribute some metric is split by, each once.
  package var segmentAttributes: [String] {
    let asked = segments + metrics.flatMap { $0.segments ?? [] }
    return asked.enumerated().filter { asked.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
}
