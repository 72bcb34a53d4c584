import Domain
import Jobs
import Measurement
import Platform
import Statistics

/// Measures a job in this process: inputs in, exact sums out.
///
/// Files are read side by side by a bounded number of tasks, events routed to partitions of users; partitions
/// are attributed and aggregated each by itself and merged by exact addition. Where a limit of memory is set, and the
/// inputs go beyond it, the partitions wait on a disk.
package struct NativeEngine {
  package let job: Job
  /// The cut-off: what happens at or after it does not count.
  package let cutoff: Instant
  package let threads: Int
  /// Whether every night since the first assignment is measured beside the one that ends at the cut-off.
  package var looksBack = true
  /// How many rows of a file of a purchase log are enough, for those who only want to look; nil reads all.
  package var rowLimit: Int?
  /// The earlier night that changes are told since; nil where none is asked for.
  package var since: EarlierCount?
  /// Where purchase files that were read before are found again; nil reads them all.
  package var store: EventStore?
  /// How much memory may be taken; nil sets no limit.
  package var memory: MemoryLimit?
  /// What the reading of the inputs shares.
  package var context: RunContext

  package init(
    job: Job, cutoff: Instant, threads: Int, looksBack: Bool = true, rowLimit: Int? = nil, since: EarlierCount? = nil,
    store: EventStore? = nil, memory: MemoryLimit? = nil, context: RunContext = RunContext()
  ) {
    self.job = job
    self.cutoff = cutoff
    self.threads = threads
    self.looksBack = looksBack
    self.rowLimit = rowLimit
    self.since = since
    self.store = store
    self.memory = memory
    self.context = context
  }

  /// What measuring came to.
  package struct Outcome {
    package var measurement: RunMeasurement
    package var metrics: [MeasuredMetric]
    package var timings: Timings
    /// What is not in order with some file, for the terminal.
    package var warnings: [String]
  }

  /// - Throws: `OfferliftError`: a missing input (66), a damaged one, one that does not stand still, or too many rejects
  ///   (65), a wrong column (78).
  package func measure() async throws -> Outcome {
    var (outcome, changed) = try await InputWatch.settled { watch in
      try await measureOnce(in: context.within(memory).watched(by: watch))
    }
    outcome.warnings += InputWatch.warnings(of: changed)
    return outcome
  }

  private func measureOnce(in context: RunContext) async throws -> Outcome {
    store?.beginRun()
    guard let memory else { return try await measure(onto: nil, in: context) }
    let inputs = try inputBytes(in: context)
    if memory.mayHold(inputs) {
      do { return try await measure(onto: nil, in: context) } catch is MemoryExceeded {}
    }
    do {
      return try await measure(
        onto: try PartitionFile(memory, inputs: inputs, threads: threads), in: context.within(memory))
    } catch is MemoryExceeded {
      throw memory.refusal
    }
  }

  /// How much the files of users and events have, in bytes as they lie on the disk.
  private func inputBytes(in context: RunContext) throws -> Int64 {
    let files = try (job.assignments + job.purchases.map(\.table)).flatMap {
      try $0.files(relativeTo: job.file, in: context)
    }
    return files.reduce(0) { $0 + $1.size }
  }

  /// - Parameter partitions: where users wait on a disk until it is their partition's turn; nil has room in memory.
  private func measure(onto partitions: PartitionFile?, in context: RunContext) async throws -> Outcome {
    var timings = Timings()
    let types = EventTypes(named: job.namedEventTypes)
    let names = EventNames()
    let reference = try timings.time("tables") { try ReferenceTables(job: job, in: context) }
    try reference.refuseUngrantedCredits(in: job)
    let logs = try PurchaseLogs(
      job, in: context, names: names, types: types, cutoff: cutoff, threads: threads, rowLimit: rowLimit, store: store,
      memory: partitions == nil ? memory : memory?.onDisk, retainsFiles: partitions == nil)
    if job.purchases.contains(where: \.reportsIdentities) {
      try await timings.time("transfers") { try await logs.readIdentities(into: reference.identityLinks) }
    }
    let identities = reference.identityLinks.finish()
    let roster = Roster(
      names: names, attributes: job.segmentAttributes, identities: identities, onto: partitions)
    let assignments = try await timings.time("assignments") {
      try await readAssignments(into: roster, logs, reference.catalog, in: context)
    }
    var log = try await timings.time("events") {
      try await logs.readEvents(of: roster, rates: reference.rates, onto: partitions)
    }
    let plan = try MeasurementPlan(
      job: job, cutoff: cutoff, looksBack: looksBack, roster: roster, reference: reference, types: types,
      feeds: logs.feeds, since: since.map { ($0, assignments.readings, log.ledger.readings) })
    try refuseTooLarge(
      plan, roster, reference, assignments: job.population == .logged ? log.ledger.readings : assignments.readings)
    let firstAssignment = roster.firstAssignment
    var attributed = try await timings.time("attribution") {
      try await log.partitions.attribute(
        by: plan, retaining: job.multipleGroups, abandoned: assignments.abandoned, threads: threads)
    }
    let unpriced = attributed.sums.tally.drainRejects()
    log.ledger.record(attributed)
    try log.unpriced.forEach(of: unpriced) { _, row, line in log.ledger.reject(line, at: row) }
    let assignedIDs = try await log.partitions.assignedIDs(beside: log.ledger.unassigned, threads: threads)
    let assembly = MeasurementAssembly(
      job: job, cutoff: cutoff, threads: threads, reference: reference, roster: roster, plan: plan,
      firstAssignment: firstAssignment)
    return try assembly.outcome(
      attributed, log.ledger, assignments: assignments.readings, assignedIDs, timings: timings)
  }

  /// - Throws: `OfferliftError`, exit 71, where the sums take more memory than the run may.
  func refuseTooLarge(
    _ plan: MeasurementPlan, _ roster: Roster, _ reference: ReferenceTables, assignments: [FileReading]
  ) throws {
    let size = MeasurementSize(
      plan, groups: roster.groups(toMeasureBy: job, catalog: reference.catalog).values.reduce(0) { $0 + $1.count },
      users: assignments.reduce(0) { $0 + $1.account.rows })
    if let most = memory?.most, size.bytes > most { throw size.refusal(beyond: most) }
  }

  /// Reads who is in which group, and refuses a job that asks for what the assignments do not have.
  ///
  /// - Returns: what was read, and numbers of the files that turned out damaged: their rows do not count.
  func readAssignments(
    into roster: Roster, _ logs: PurchaseLogs, _ catalog: Catalog, in context: RunContext
  ) async throws -> (readings: [FileReading], abandoned: Set<Int>) {
    var readings: [FileReading] = []
    var abandoned: Set<Int> = []
    if job.population == .logged {
      abandoned = try await logs.readAssignments(into: roster)
    } else {
      let tables = job.assignments.map { input in
        var table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: cutoff, roster: roster)
        table.memory = roster.disk == nil ? memory : memory?.onDisk
        return table
      }
      let found = try SameFiles.marked(
        tables.map { SameFiles.Candidate.all(try $0.input.files(relativeTo: job.file, in: context), of: $0.input) })
      let files = zip(tables, found).flatMap { table, files in files.map { (table, $0) } }
      ProgressMeter.current?.expect(files.map(\.1))
      readings = try await FileQueue.read(files.map(\.1), limit: threads, state: {}) { [store] _, number, file in
        let table = files[number].0
        return try store?.read(file, of: table, number: number) ?? table.read(file, number: number).reading
      }
      abandoned = Set(readings.indices.filter { !readings[$0].isWhole })
    }
    try roster.disk?.finish()
    try AssignmentTable.refuseUnknownAttributes(of: job, roster)
    try roster.refuseUnknownGroups(of: job, catalog: catalog)
    return (readings, abandoned)
  }
}

extension Job {
  /// Event types the job names anywhere.
  package var namedEventTypes: [String] {
    eventTypes + purchases.flatMap(\.format.eventTypes) + funnels.flatMap(\.eventTypes)
      + metrics.flatMap(\.eventTypes)
  }

  /// Every attribute some metric is split by, each once.
  package var segmentAttributes: [String] {
    let asked = segments + metrics.flatMap { $0.segments ?? [] }
    return asked.enumerated().filter { asked.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
}
