import Domain
import Jobs
import Measurement
import Platform

/// Finds what the inputs say of one user and what a run makes of it, row by row.
///
/// Files are searched side by side, and only rows that may name the user are taken apart. Those that do are then read,
/// attributed and aggregated by the code of the run, each row as if it were a file of its own: so the run's own books
/// tell what became of every row, and no rule is written twice.
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
    let types = EventTypes(named: job.namedEventTypes)
    let reference = try ReferenceTables(job: job)
    try reference.refuseUngrantedCredits(in: job)
    let logs = try PurchaseLogs(job, names: EventNames(), types: types, cutoff: cutoff, threads: threads)
    if job.purchases.contains(where: \.tellsIdentities) {
      try await logs.readIdentities(into: reference.identityLinks)
    }
    let identities = reference.identityLinks.finish()
    let ids = UserIDs(id, identities)
    let (found, charges) = try await find(ids, identities, logs)
    let rows = found.flatMap(\.rows)
    let warnings = found.compactMap(\.warning)
    guard !rows.isEmpty else {
      let similar = try await similar(to: id, logs, reference.catalog)
      return UserTrace(user: ids.user, ids: ids.all, warnings: warnings, similar: similar)
    }
    let roster = Roster(names: logs.names, attributes: job.segmentAttributes, identities: identities)
    var reading = UserReading(rows, roster: roster)
    try reading.readIdentities(job)
    try reading.readAssignments(job, reference.catalog, logs, cutoff: cutoff, ids: ids)
    try reading.readEvents(logs, rates: reference.rates, cutoff: cutoff, ids: ids, charges: charges)
    let plan = try MeasurementPlan(
      job: job, cutoff: cutoff, looksBack: false, roster: roster, reference: reference, types: types,
      feeds: reading.feeds(logs))
    let uncut = try MeasurementPlan(
      job: job.withoutCaps, cutoff: cutoff, looksBack: false, roster: roster, reference: reference, types: types,
      feeds: reading.feeds(logs))
    var trace = TraceBuilder(job: job, ids: ids, reading: reading, plan: plan, uncut: uncut).trace
    trace.warnings = warnings
    return trace
  }

  /// Looks for the user's rows in every file: those that name the user, and those that follow the user's charges.
  private func find(
    _ ids: UserIDs, _ identities: Identities, _ logs: PurchaseLogs
  ) async throws -> ([NamingRows.Found], TracedCharges) {
    let naming = try await find(ids, logs, charges: nil)
    var charges = TracedCharges(of: naming.reduce(into: []) { $0.formUnion($1.transactions) }, ids, identities)
    guard !charges.words.isEmpty else { return (naming, charges) }
    let words = charges.words
    let counted = logs.files.filter { $0.file.sameAs == nil }
    try charges.findOwners(
      in: counted.map { file in { try $0.read(file.log, file.file, words: words, cutoff: cutoff) } })
    return (try await find(ids, logs, charges: charges), charges)
  }

  private func find(_ ids: UserIDs, _ logs: PurchaseLogs, charges: TracedCharges?) async throws -> [NamingRows.Found] {
    let naming = NamingRows(job: job, ids: ids)
    var looks: [@Sendable () throws -> NamingRows.Found] = []
    if job.population != .logged {
      let found = try SameFiles.marked(
        job.assignments.map { SameFiles.Candidate.all(try $0.files(relativeTo: job.file), of: $0) })
      for (number, files) in found.enumerated() {
        looks += files.filter { $0.sameAs == nil }.map { file in { try naming.assignments(number, file) } }
      }
    }
    if let input = job.identities {
      let files = try input.countedFiles(relativeTo: job.file).filter { $0.sameAs == nil }
      looks += files.map { file in { try naming.identities(input, file) } }
    }
    for (number, file) in logs.files.enumerated() where file.file.sameAs == nil {
      looks.append { try NamingEvents.rows(of: number, file.log, file.file, ids: ids, charges: charges) }
    }
    return try await TaskPool.run(looks.count, limit: threads, state: {}) { [looks] _, number in try looks[number]() }
  }

  /// Assigned users whose ids differ from `id` only in how spreadsheets and exports write them.
  private func similar(to id: Identifier, _ logs: PurchaseLogs, _ catalog: Catalog) async throws -> [Identifier] {
    let roster = Roster(names: logs.names, attributes: [])
    if job.population == .logged {
      _ = try await logs.readAssignments(into: roster)
    } else {
      let files = try job.assignments.flatMap { input in
        let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: cutoff, roster: roster)
        return try input.files(relativeTo: job.file).map { (table, $0) }
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
