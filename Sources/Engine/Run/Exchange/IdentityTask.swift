import Domain
import Jobs
import Measurement

/// Gives the events and assignments of some partitions to the users that their ids stand for, and these to their
/// partitions; and the events that follow charges of some partitions of transactions to the users who have those. It is
/// given what every file told of who became whom.
package final class IdentityTask {
  private let run: ExchangedRun
  private let reference: ReferenceTables
  private let users: GatheredUsers
  /// Keys of files that turned out to be damaged.
  private var damaged: Set<String> = []

  /// - Throws: `OfferliftError` where a reference table cannot be read, or the disk has no room.
  package init(_ run: ExchangedRun, memory: MemoryLimit, threads: Int) throws {
    self.run = run
    reference = try ReferenceTables(job: run.job)
    users = try GatheredUsers(run, memory, threads: threads)
  }

  /// Takes a block of events, of assignments, of charges' claims or events that follow them, of transfers, or of what
  /// became of a file.
  ///
  /// - Throws: `OfferliftError` (70) where it is no such block; (73 or 74) where the disk does not take it.
  package func accept(_ block: ExchangedBlock) throws {
    try block.reported { kind in
      switch kind {
      case .events, .assignments, .claims, .following: try users.accept(block, kind)
      case .file:
        let file = try ExchangedFile(block.bytes)
        if !file.reading.isWhole { damaged.insert(file.key) }
      case .transfers: try ReportedIdentities.add(Block.body(of: block.bytes, kind), to: reference.identityLinks)
      default: throw BlockFault.misplaced
      }
    }
  }

  /// Writes all blocks anew.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give them back; what `outlet` throws.
  package func finish(outlet: @escaping BlockOutlet) throws {
    let identities = reference.identityLinks.finish()
    let names = EventNames()
    let blocks = OutgoingBlocks(bits: run.partitionBits, files: users.keys, outlet: outlet)
    var sink = PartitioningSink(
      blocks, identities: identities, rates: reference.rates, cutoff: run.cutoff.milliseconds, names: names,
      types: run.types, separates: false)
    let following = DependentEventsInBlocks(
      users.partitions, names: names, types: run.types, identities: identities
    ) { [self] in !damaged.contains(users.keys[Int($0)]) }
    for partition in 0..<users.partitions.partitionCount {
      try users.partitions.forEachEvents(of: partition) { source, body in
        if source != sink.file { sink.finishFile() }
        sink.file = source
        var outcomes = RowOutcomes()
        try EventBlock(body, names: names, types: run.types).emit(&sink, recording: &outcomes)
      }
      sink.finishFile()
      try sink.check()
      try moveAssignments(of: partition, names, identities, onto: blocks)
    }
    for group in users.partitions.groupsOfFollowing { try following.settle(group, into: &sink) }
  }

  private func moveAssignments(
    of partition: Int, _ names: EventNames, _ identities: Identities, onto blocks: OutgoingBlocks
  ) throws {
    var rosters: [UInt32: Roster] = [:]
    try users.partitions.forEachAssignments(of: partition) { source, body in
      let roster =
        rosters[source]
        ?? Roster(
          names: names, attributes: run.job.segmentAttributes, identities: identities, onto: blocks, of: source)
      rosters[source] = roster
      let block = try AssignmentBlock(body, names: names, attributes: roster.attributes, values: roster.values)
      try block.forEach { roster.add($0) }
    }
    for (_, roster) in rosters { try roster.disk?.finish() }
  }
}
