import Domain

/// Looks at the ids of some partitions' assigned users beside those of purchases that nobody was assigned for.
package final class AssignedIDsTask {
  private let run: ExchangedRun
  private let threads: Int
  private let users: GatheredUsers
  private var unassigned = UnassignedPurchases()

  /// - Throws: `OfferliftError` (73 or 74) where the disk has no room.
  package init(_ run: ExchangedRun, memory: MemoryLimit, threads: Int) throws {
    self.run = run
    self.threads = threads
    users = try GatheredUsers(run, memory, threads: threads)
  }

  /// Takes a block of assignments, or what a task told of unassigned users.
  ///
  /// - Throws: `OfferliftError` (70) where it is no such block; (73 or 74) where the disk does not take it.
  package func accept(_ block: ExchangedBlock) throws {
    try block.reported { kind in
      switch kind {
      case .assignments: try users.accept(block, kind)
      case .unassigned: unassigned.merge(try Block.decode(UnassignedPurchases.self, of: block.bytes, .unassigned))
      default: throw BlockFault.misplaced
      }
    }
  }

  /// Tells what the ids look like.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give the blocks back.
  package func finish(outlet: BlockOutlet) async throws {
    let roster = Roster(names: EventNames(), attributes: run.job.segmentAttributes)
    let ids = try await DiskPartitions(users.partitions, usersOf: roster, run)
      .assignedIDs(beside: unassigned, threads: threads)
    try outlet(ExchangedBlock(bytes: try Block.frame(.assignedIDs, encoding: ids)))
  }
}

extension DiskPartitions {
  /// Partitions of which only the users are looked at.
  fileprivate init(_ file: PartitionFile, usersOf roster: Roster, _ run: ExchangedRun) throws {
    guard let reporting = Currency(Array(run.job.currency.utf8)) else { throw BlockFault.damaged }
    self.init(
      file, roster: roster, rates: ExchangeRates(reporting: reporting), cutoff: run.cutoff, types: run.types,
      unpriced: UnpricedRejects(in: RejectSpool(nil)), countsOutside: false)
  }
}
