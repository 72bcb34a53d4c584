import Domain
import Jobs
import Measurement
import Platform
import Synchronization

/// All files of a job's purchase logs, read side by side by a bounded number of tasks.
struct PurchaseLogs {
  private let job: Job
  private let context: RunContext
  private let cutoff: Instant
  private let threads: Int
  let names: EventNames
  let types: EventTypes
  private(set) var files: [File]
  /// How many rows of a file are enough; nil reads all.
  private let rowLimit: Int?
  /// Where files that were read before are found again; nil reads each by itself.
  private let store: EventStore?
  /// The same where no store keeps them and there is room, for this run alone.
  private let retained: EntriesInMemory?

  struct File {
    var log: PurchaseLog
    var file: InputFile
    /// Its index among all of the run.
    var number: Int
    /// The place of its input among the job's purchases.
    var input: Int
  }

  /// - Parameter retainsFiles: what files hold that are read more than once may stay in memory.
  /// - Throws: `OfferliftError` 66 where a file or a root certificate is missing, 78 where a certificate is none.
  init(
    _ job: Job, in context: RunContext = RunContext(), names: EventNames, types: EventTypes, cutoff: Instant,
    threads: Int, rowLimit: Int? = nil,
    store: EventStore? = nil, memory: MemoryLimit? = nil, retainsFiles: Bool = false
  ) throws {
    self.job = job
    self.context = context
    self.cutoff = cutoff
    self.threads = threads
    self.names = names
    self.types = types
    self.rowLimit = rowLimit
    self.store = rowLimit == nil ? store : nil
    retained = retainsFiles && rowLimit == nil && store == nil ? EntriesInMemory() : nil
    let logs = try job.purchases.map { input in
      var log = try PurchaseLog(input, of: job, types: types, names: names)
      log.memory = memory
      return log
    }
    let found = try SameFiles.marked(
      logs.map { SameFiles.Candidate.all(try $0.input.table.files(relativeTo: job.file, in: context), of: $0.input) })
    let listed = zip(logs, found).enumerated().flatMap { input, found in found.1.map { (found.0, $0, input) } }
    files = listed.enumerated().map { File(log: $1.0, file: $1.1, number: $0, input: $1.2) }
  }

  /// Which feed and input each file belongs to.
  var feeds: FeedIndex {
    FeedIndex(ofFiles: files.map(\.log.feed), inputs: files.map(\.input), names: files.map(\.file.displayName))
  }

  /// Numbers of the offerings to measure; nil for all.
  var wantedOfferings: Set<UInt32>? { job.offerings.map { Set($0.map { names.offerings.code($0) }) } }

  /// Reads files by as many tasks as there are threads, several of them one file where no other is left.
  func read<State>(
    _ files: [File], state: @escaping @Sendable () -> State,
    body: @escaping @Sendable (inout State, Int, File) throws -> FileReading
  ) async throws -> [FileReading] {
    ProgressMeter.current?.expect(files.map(\.file))
    return try await FileQueue.read(
      files.map(\.file), limit: threads, isShared: rowLimit == nil, state: state
    ) { state, position, file in
      var part = files[position]
      part.file = file
      return try body(&state, part.number, part)
    }
  }

  /// - Parameter isLast: the run reads the file no other time.
  func read(_ file: File, into sink: inout some EventSink, isLast: Bool = false) throws -> FileReading {
    if let store { return try store.read(file.file, of: file.log, into: &sink) }
    if let retained {
      return try retained.read(file.file, number: file.number, of: file.log, into: &sink, isLast: isLast)
    }
    return try file.log.read(file.file, into: &sink, limit: rowLimit)
  }

  /// A first pass over the logs that tell which ids are one customer's: assignments and events are read by it.
  func readIdentities(into links: IdentityLinks) async throws {
    let report = files.filter { $0.log.input.reportsIdentities }
    _ = try await read(report, state: {}) { [self] _, _, file in
      var sink = CollectingSink(identities: IdentityCollector(links: links, cutoff: cutoff))
      guard let store else { return try read(file, into: &sink) }
      return try store.readBesideEvents(file.file, of: file.log, into: &sink)
    }
  }

  /// A first pass over the log for the assignments alone (`population: logged`).
  ///
  /// - Returns: numbers of the files that turned out damaged: their assignments do not count.
  func readAssignments(into roster: Roster) async throws -> Set<Int> {
    let wanted = wantedOfferings
    let readings = try await read(files, state: {}) { [self] _, number, file in
      var sink = CollectingSink(
        assignments: LoggedAssignments(roster: roster, cutoff: cutoff, wanted: wanted, file: number))
      return try read(file, into: &sink)
    }
    return Set(readings.indices.filter { !readings[$0].isWhole })
  }

  /// Reads every event into its user's partition: in memory, or on the disk where the roster's rows are.
  ///
  /// - Throws: `OfferliftError`, as `PurchaseLog.read`; 78 where charges have an attribute that no row has a field for.
  func readEvents(
    of roster: Roster, rates: ExchangeRates, onto partitions: PartitionFile?
  ) async throws -> LoggedEvents {
    let log =
      if let partitions {
        try await readEventsOntoDisk(partitions, of: roster, rates: rates)
      } else {
        try await readEventsIntoMemory(of: roster, rates: rates)
      }
    try PurchaseLog.refuseUnknownAttributes(zip(files, log.ledger.readings).map { ($0.log, $1) })
    return log
  }

  private func readEventsIntoMemory(of roster: Roster, rates: ExchangeRates) async throws -> LoggedEvents {
    while true {
      do {
        return try await routeEvents(
          EventRouting(of: roster, rates: rates, cutoff: cutoff, files: files.count, job, in: context))
      } catch let fault as StoredEvents.Fault {
        store?.refuse(fault.entry, because: fault.why)
      }
    }
  }

  /// - Throws: as `readEvents`; `StoredEvents.Fault` where the store has an entry that is not what it should be.
  private func routeEvents(_ routing: EventRouting) async throws -> LoggedEvents {
    let retained = StoredEvents()
    var readings = try await read(files, state: { routing.makeRouter() }) { [self] router, number, file in
      router.file = UInt32(number)
      if let store {
        let (reading, entry) = try store.find(file.file, of: file.log, orReadInto: &router)
        if let entry { retained.add(entry, file: number) } else { routing.accept(&router, file: number) }
        return reading
      }
      let reading = try read(file, into: &router, isLast: true)
      routing.accept(&router, file: number)
      return reading
    }
    for (file, outcomes) in try await retained.emit(to: routing, threads: threads) {
      readings[file].account.outcomes.merge(outcomes)
    }
    let routed = try await routing.finish(threads: threads)
    return LoggedEvents(
      ledger: LogLedger(readings, counts: routed.counts, unassigned: routed.unassigned, rejects: context.rejects),
      partitions: routed.partitions,
      unpriced: routing.unpriced)
  }

  private func readEventsOntoDisk(
    _ partitions: PartitionFile, of roster: Roster, rates: ExchangeRates
  ) async throws -> LoggedEvents {
    let counts = Mutex(noCounts)
    let makeSink: @Sendable () -> PartitioningSink = { [self] in
      sink(onto: partitions, identities: roster.identities, rates: rates, separates: true)
    }
    let readings = try await read(files, state: makeSink) { [self] sink, number, file in
      sink.file = UInt32(number)
      let reading = try read(file, into: &sink, isLast: true)
      try sink.check()
      counts.withLock { [calls = sink.calls] in $0[number].calls.merge(calls) }
      return reading
    }
    try await settleFollowingEvents(in: partitions, rates: rates)
    // What waited for its block is on the disk, and users are read back next.
    SystemMemory.giveBack()
    let unpriced = UnpricedRejects(in: context.rejects)
    let onDisk = DiskPartitions(
      partitions, roster: roster, rates: rates, cutoff: cutoff, types: types, unpriced: unpriced,
      countsOutside: job.countsOutside)
    return LoggedEvents(
      ledger: LogLedger(readings, counts: counts.withLock { $0 }, rejects: context.rejects), partitions: onDisk,
      unpriced: unpriced)
  }

  private func sink(
    onto partitions: PartitionFile, identities: Identities, rates: ExchangeRates, separates: Bool
  ) -> PartitioningSink {
    PartitioningSink(
      partitions, identities: identities, rates: rates, cutoff: cutoff.milliseconds, names: names, types: types,
      separates: separates)
  }

  /// Gives the events that follow a charge to the users who have those.
  private func settleFollowingEvents(in partitions: PartitionFile, rates: ExchangeRates) async throws {
    let groups = partitions.groupsOfFollowing
    _ = try await TaskPool.run(
      groups.count, limit: threads,
      state: { [self] in sink(onto: partitions, identities: .none, rates: rates, separates: false) }
    ) { [self] sink, number in
      try DependentEventsInBlocks(partitions, names: names, types: types).settle(groups[number], into: &sink)
    }
  }

  /// By file what its tasks count beside its rows.
  private var noCounts: [EventRouter.Counts] {
    files.map { _ in EventRouter.Counts() }
  }
}

/// What was read of the purchase logs.
struct LoggedEvents {
  /// What became of their rows.
  var ledger: LogLedger
  /// The events, by partition of users.
  let partitions: any UserPartitions
  /// Where charges and refunds without an exchange rate stand, by number.
  let unpriced: UnpricedRejects
}
