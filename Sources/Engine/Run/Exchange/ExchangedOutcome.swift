import Domain
import Jobs
import Measurement
import Platform

/// Makes a run's outcome of what its tasks told: the last step, and the only one that sees all of it.
package struct ExchangedOutcome {
  private let run: ExchangedRun
  private var files: ExchangedFiles
  /// Blocks of rejected rows, by key of their file.
  private var rejects: [String: [[UInt8]]] = [:]
  private var late: [[UInt8]] = []
  private var sums: [[UInt8]] = []
  private var assignedIDs = AssignedIDs()
  private let links: ReferenceTables

  /// - Throws: `OfferliftError` where a reference table cannot be read.
  package init(_ run: ExchangedRun) throws {
    self.run = run
    files = ExchangedFiles(run)
    links = try ReferenceTables(job: run.job)
  }

  /// Takes a file that is among an input's, and the one that is read in its place.
  package mutating func list(_ file: ListedFile) { files.list(file) }

  /// Takes a block that a task wrote, but events and assignments.
  ///
  /// - Throws: `OfferliftError` (70) where it is no such block.
  package mutating func accept(_ block: ExchangedBlock) throws {
    try block.reported { kind in
      switch kind {
      case .rejects: rejects[block.file, default: []].append(block.bytes)
      case .transfers: try ReportedIdentities.add(Block.body(of: block.bytes, kind), to: links.identityLinks)
      case .lateRejects:
        _ = try Block.body(of: block.bytes, kind)
        late.append(block.bytes)
      case .sums: sums.append(Array(try Block.body(of: block.bytes, kind)))
      case .assignedIDs: assignedIDs.merge(try Block.decode(AssignedIDs.self, of: block.bytes, kind))
      case .unassigned: break
      default: try files.accept(block, kind)
      }
    }
  }

  /// Checksum of the names that sums are numbered by.
  package var namesChecksum: UInt32 { files.names.checksum }

  /// - Throws: `OfferliftError`, as where one process measures the job.
  package func outcome(threads: Int, timings: Timings) throws -> NativeEngine.Outcome {
    let ordered = try files.ordered()
    let identities = links.identityLinks.finish()
    let half = try AttributionHalf(run, ordered, files.names, identities: identities)
    try refuseWhatIsNotThere(ordered, half)
    var attributed = AttributedEvents(
      sums: half.plan.emptySums, counts: ordered.logs.map { _ in EventRouter.Counts() })
    for sums in sums { attributed.merge(try AttributedEvents(encoded: sums, fitting: half.plan)) }
    var ledger = LogLedger(try ordered.logs.map(reading))
    ledger.record(attributed)
    for block in late {
      let block = ExchangedBlock(bytes: block)
      try block.reported { kind in
        try Self.lines(block, kind) { line in
          guard let reject = Reject(line: line.dropLast()), ledger.readings.indices.contains(reject.account) else {
            throw BlockFault.damaged
          }
          ledger.reject(line, at: RejectLine.position(ofLineAt: line.startIndex, in: block.bytes).position)
        }
      }
    }
    let assembly = MeasurementAssembly(
      job: run.job, cutoff: run.cutoff, threads: threads, reference: links, roster: half.roster, plan: half.plan,
      firstAssignment: half.roster.firstAssignment)
    return try assembly.outcome(
      attributed, ledger, assignments: try ordered.assignments.map(reading), assignedIDs, timings: timings)
  }

  /// Refuses a job that asks for what its files do not have.
  private func refuseWhatIsNotThere(_ files: ExchangedFiles.Ordered, _ half: AttributionHalf) throws {
    try AssignmentTable.refuseUnknownAttributes(of: run.job, half.roster)
    try half.roster.refuseUnknownGroups(of: run.job, catalog: half.reference.catalog)
    try PurchaseLog.refuseUnknownAttributes(
      files.logs.map { file in
        let input = run.job.purchases[file.input - run.job.assignments.count]
        return (try PurchaseLog(input, of: run.job, types: run.types, names: half.roster.names), file.reading)
      })
  }

  /// What came of reading a file, with the lines of the rows that could not be read.
  private func reading(_ file: ExchangedFile) throws -> FileReading {
    var reading = file.reading
    for bytes in rejects[file.key, default: []] {
      try ExchangedBlock(bytes: bytes).reported { kind in
        try Self.lines(ExchangedBlock(bytes: bytes), kind) { try reading.retain($0) }
      }
    }
    return reading
  }

  /// Calls `body` with every line of a block, its end included.
  private static func lines(
    _ block: ExchangedBlock, _ kind: Block.Kind, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var rest = try Block.body(of: block.bytes, kind)
    while let end = rest.firstIndex(of: RejectLine.end) {
      try body(rest[...end])
      rest = rest[(end + 1)...]
    }
    guard rest.isEmpty else { throw BlockFault.cutOff }
  }
}
