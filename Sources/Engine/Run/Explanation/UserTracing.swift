import Domain
import Jobs
import Measurement
import Platform

/// Finds what the inputs say of one user and what a run makes of it, row by row.
///
/// The inputs are read as a run reads them, and the rows that are the user's are taken on the way. These go through the
/// run's own steps, each row as if it were a file of its own: so the run's own books tell what became of every row, and no
/// rule is written twice.
package struct UserTracing {
  package let job: Job
  /// The cut-off: what happens at or after it does not count.
  package let cutoff: Instant
  package let threads: Int

  package init(job: Job, cutoff: Instant, threads: Int) {
    self.job = job
    self.cutoff = cutoff
    self.threads = threads
  }

  /// - Throws: `OfferliftError`, as a run: a missing input (66), a damaged one (65), a wrong column (78).
  package func trace(_ id: Identifier) async throws -> UserTrace {
    try await InputWatch.settled { watch in try await trace(id, in: RunContext().watched(by: watch)) }.value
  }

  private func trace(_ id: Identifier, in context: RunContext) async throws -> UserTrace {
    let types = EventTypes(named: job.namedEventTypes)
    let reference = try ReferenceTables(job: job, in: context)
    try reference.refuseUngrantedCredits(in: job)
    let logs = try PurchaseLogs(
      job, in: context, names: EventNames(), types: types, cutoff: cutoff, threads: threads)
    if job.purchases.contains(where: \.reportsIdentities) {
      try await logs.readIdentities(into: reference.identityLinks)
    }
    let identities = reference.identityLinks.finish()
    let ids = UserIDs(id, identities)
    let roster = Roster(names: logs.names, attributes: job.segmentAttributes, identities: identities)
    let table: @Sendable (Int) -> AssignmentTable = { [job, cutoff, catalog = reference.catalog] in
      AssignmentTable(input: job.assignments[$0], job: job, catalog: catalog, cutoff: cutoff, roster: roster)
    }
    let captured = try await CapturedRows(
      of: ids, identities, in: job, context, logs, cutoff: cutoff, threads: threads, table: table)
    guard !captured.rows.isEmpty else {
      let similar = try await similar(to: id, logs, reference.catalog, context)
      return UserTrace(user: ids.user, ids: ids.all, warnings: captured.warnings, similar: similar)
    }
    var reading = UserReading(captured.rows, roster: roster)
    reading.readAssignments(job, logs, cutoff: cutoff, ids: ids, table: table)
    try reading.readEvents(logs, rates: reference.rates, cutoff: cutoff, ids: ids, charges: captured.charges)
    let plan = try MeasurementPlan(
      job: job, cutoff: cutoff, looksBack: false, roster: roster, reference: reference, types: types,
      feeds: reading.feeds(logs))
    let uncut = try MeasurementPlan(
      job: job.withoutCaps, cutoff: cutoff, looksBack: false, roster: roster, reference: reference, types: types,
      feeds: reading.feeds(logs))
    var trace = TraceBuilder(job: job, ids: ids, reading: reading, plan: plan, uncut: uncut).trace
    trace.warnings = captured.warnings
    return trace
  }

  /// Assigned users whose ids differ from `id` only in how spreadsheets and exports write them.
  private func similar(
    to id: Identifier, _ logs: PurchaseLogs, _ catalog: Catalog, _ context: RunContext
  ) async throws -> [Identifier] {
    let roster = Roster(names: logs.names, attributes: [])
    if job.population == .logged {
      _ = try await logs.readAssignments(into: roster)
    } else {
      let files = try job.assignments.flatMap { input in
        let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: cutoff, roster: roster)
        return try input.files(relativeTo: job.file, in: context).map { (table, $0) }
      }
      _ = try await TaskPool.run(files.count, limit: threads, state: {}) { _, number in
        _ = try files[number].0.read(files[number].1, number: number)
      }
    }
    let hash = id.utf8.withText(UserIDForm.looseHash)
    var found: [Identifier] = []
    for partition in 0..<UserDirectory.partitionCount {
      roster.users.forEach(partition: partition) { user in
        if UserIDForm.looseHash(user) == hash { found.append(Identifier(user)) }
      }
    }
    return found.sorted()
  }
}

extension Job {
  /// The same job, none of its metrics cut.
  fileprivate var withoutCaps: Job {
    var job = self
    for metric in job.metrics.indices { job.metrics[metric].cap = nil }
    return job
  }
}
