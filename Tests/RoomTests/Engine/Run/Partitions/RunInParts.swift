import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// A run up to the attribution of its events, whose partitions of users are then added up each by itself, as if each
/// had a process of its own.
struct RunInParts {
  let job: Job
  let cutoff: Instant
  let reference: ReferenceTables
  let roster: Roster
  let log: LoggedEvents
  let plan: MeasurementPlan
  private let memory: MemoryPartitions
  private let abandoned: Set<Int>

  init(_ job: Job, cutoff: Instant, since: EarlierCount? = nil) async throws {
    let types = EventTypes(named: job.namedEventTypes)
    let reference = try ReferenceTables(job: job)
    let logs = try PurchaseLogs(job, names: EventNames(), types: types, cutoff: cutoff, threads: 1)
    if job.purchases.contains(where: \.reportsIdentities) {
      try await logs.readIdentities(into: reference.identityLinks)
    }
    let roster = Roster(
      names: logs.names, attributes: job.segmentAttributes, identities: reference.identityLinks.finish())
    let assignments: [FileReading]
    (abandoned, assignments) = try await Self.readAssignments(of: job, cutoff, into: roster, logs, reference.catalog)
    log = try await logs.readEvents(of: roster, rates: reference.rates, onto: nil)
    plan = try MeasurementPlan(
      job: job, cutoff: cutoff, looksBack: true, roster: roster, reference: reference, types: types,
      feeds: logs.feeds, since: since.map { [log] in ($0, assignments, log.ledger.readings) })
    memory = log.partitions as! MemoryPartitions
    (self.job, self.cutoff, self.reference, self.roster) = (job, cutoff, reference, roster)
  }

  private static func readAssignments(
    of job: Job, _ cutoff: Instant, into roster: Roster, _ logs: PurchaseLogs, _ catalog: Catalog
  ) async throws -> (abandoned: Set<Int>, readings: [FileReading]) {
    if job.population == .logged { return (try await logs.readAssignments(into: roster), []) }
    let files = try job.assignments.flatMap { input in
      let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: cutoff, roster: roster)
      return try input.files(relativeTo: job.file).map { (table, $0) }
    }
    let readings = try files.enumerated().map { try $1.0.read($1.1, number: $0).reading }
    return (Set(readings.indices.filter { !readings[$0].isWhole }), readings)
  }

  /// What each partition comes to. Once.
  var parts: [AttributedEvents] {
    (0..<UserDirectory.partitionCount).map { partition in
      var part = AttributedEvents(sums: plan.emptySums)
      memory.add(partition, to: &part, by: plan, retaining: job.multipleGroups, abandoned: abandoned)
      return part
    }
  }

  func assignedIDs() async throws -> AssignedIDs {
    try await memory.assignedIDs(beside: log.ledger.unassigned, threads: 1)
  }

  /// What a run has measured, but for what follows from the sums, which is made of these.
  func measurement(of events: AttributedEvents, beside run: RunMeasurement) throws -> RunMeasurement {
    let builder = MeasurementBuilder(roster: roster, job: job, catalog: reference.catalog, plan: plan)
    var (measurement, log) = (run, log)
    measurement.offerings = try builder.offerings(events.sums)
    for index in measurement.offerings.indices {
      measurement.offerings[index].cards = reference.cards(of: measurement.offerings[index].id)
    }
    log.ledger.record(events)
    try log.unpriced.forEach(of: events.sums.tally.rejects) { _, row, line in log.ledger.reject(line, at: row) }
    let input = log.ledger.readings.first?.account.input
    let first = try #require(run.accounts.firstIndex { $0.input == input })
    for (position, reading) in log.ledger.readings.enumerated() {
      measurement.accounts[first + position] = reading.account
    }
    measurement.orphanRefunds = events.sums.tally.orphanRefunds
    measurement.daily = DailyHistory(of: CountedNights(events.sums.daily, plan.nights, builder, threads: 1))
    measurement.changes = try builder.changes(events.sums.changes, plan.changes)
    measurement.oddPrices = reference.oddPrices(events.sums.oddPrices, products: plan.history.facts)
    measurement.moneyCounts = events.sums.tally.money
    measurement.reportedTwice = events.sums.tally.reportedTwice.named(
      of: job, products: plan.history.facts, feeds: plan.history.feeds, logs: log.ledger.readings.map(\.account))
    measurement.outside = events.outside.rows(names: roster.names)
    measurement.freshness = log.ledger.days.freshness(before: cutoff)
    return measurement
  }
}
