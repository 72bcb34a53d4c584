import Domain
import Jobs
import Measurement
import Platform

/// Attributes and adds up the users of some partitions. It is given all of their blocks, and what tasks told of every
/// file of the run, in any order; its sums leave in blocks.
package final class PartitionTask {
  private let run: ExchangedRun
  private let memory: MemoryLimit
  private let threads: Int
  private var files: ExchangedFiles
  private let users: GatheredUsers

  /// - Parameter memory: how much may be taken; what goes beyond it waits on the disk.
  /// - Throws: `OfferliftError` (73 or 74) where the disk has no room.
  package init(_ run: ExchangedRun, memory: MemoryLimit, threads: Int) throws {
    self.run = run
    self.memory = memory
    self.threads = threads
    files = ExchangedFiles(run)
    users = try GatheredUsers(run, memory, threads: threads)
  }

  /// Takes a file that is among an input's, and the one that is read in its place.
  package func list(_ file: ListedFile) { files.list(file) }

  /// Takes a block of events, of assignments, or of what is to be known of a file.
  ///
  /// - Throws: `OfferliftError` (70) where it is no such block; (73 or 74) where the disk does not take it.
  package func accept(_ block: ExchangedBlock) throws {
    try block.reported { kind in
      switch kind {
      case .events, .assignments: try users.accept(block, kind)
      case .rejects, .transfers, .claims, .following: break
      default: try files.accept(block, kind)
      }
    }
  }

  /// Checksum of the names that the task numbers its sums by.
  package var namesChecksum: UInt32 { files.names.checksum }

  /// Attributes and adds up what was taken.
  ///
  /// - Throws: `OfferliftError` where blocks do not fit together, or lie on a disk that does not give them back.
  package func finish(outlet: BlockOutlet) async throws {
    let files = try files.ordered()
    let half = try AttributionHalf(run, files, self.files.names, identities: .none)
    try users.renumber(files)
    let unpriced = UnpricedRejects(in: RejectSpool(memory))
    let partitions = DiskPartitions(
      users.partitions, roster: half.roster, rates: half.reference.rates, cutoff: run.cutoff, types: run.types,
      unpriced: unpriced, countsOutside: run.job.countsOutside)
    var attributed = try await partitions.attribute(
      by: half.plan, retaining: run.job.multipleGroups, abandoned: files.abandoned, threads: threads)
    try emitLate(unpriced, attributed.sums.tally.drainRejects(), outlet)
    try outlet(ExchangedBlock(bytes: try Block.frame(.unassigned, encoding: attributed.unassigned)))
    try outlet(ExchangedBlock(bytes: Block.frame(.sums, body: try attributed.encoded()[...])))
  }

  /// Tells the rows that are rejected after all.
  private func emitLate(_ unpriced: UnpricedRejects, _ rejects: [UInt32], _ outlet: BlockOutlet) throws {
    var lines: [UInt8] = []
    func flush() throws {
      if !lines.isEmpty { try outlet(ExchangedBlock(bytes: Block.frame(.lateRejects, body: lines[...]))) }
      lines = []
    }
    try unpriced.forEach(of: rejects) { _, _, line in
      lines += line
      if lines.count >= RejectSpool.pieceBytes { try flush() }
    }
    try flush()
  }
}

/// What attribution needs beside the blocks of its users: the same in every task and where the sums are merged.
struct AttributionHalf {
  let reference: ReferenceTables
  let roster: Roster
  let plan: MeasurementPlan

  /// - Parameter identities: who stands for whom; of users in blocks that is settled.
  init(
    _ run: ExchangedRun, _ files: ExchangedFiles.Ordered, _ lists: NameLists, identities: Identities
  ) throws {
    let names = EventNames()
    var job = run.job
    job.identities = nil
    reference = try ReferenceTables(job: job)
    roster = Roster(names: names, attributes: run.job.segmentAttributes, identities: identities)
    lists.intern(into: names, values: roster.values)
    for file in files.assignments + files.logs { roster.accept(file.roster) }
    plan = try MeasurementPlan(
      job: run.job, cutoff: run.cutoff, looksBack: run.looksBack, roster: roster, reference: reference,
      types: run.types, feeds: files.feeds,
      since: run.since.map { ($0, files.assignments.map(\.reading), files.logs.map(\.reading)) })
    // The plan has a place for each of these, and for no other.
    names.close()
    for values in roster.values { values.close() }
  }
}

extension ExchangedBlock {
  /// Calls `body` with the block's kind, and says of a fault whose block it is.
  ///
  /// - Throws: `OfferliftError` 65 where the block is not what a task wrote.
  func reported<Result>(_ body: (Block.Kind) throws -> Result) throws -> Result {
    do {
      return try body(Block.head(bytes).kind)
    } catch let fault as BlockFault {
      let position = "\(kind.isEmpty ? "unknown kind" : kind), \(file.isEmpty ? "of no file" : "file \(file)")"
      throw OfferliftError(
        .badData,
        "A block that a task wrote (\(position)) \(fault.words). Nothing was published; submit the plan again.")
    }
  }
}
