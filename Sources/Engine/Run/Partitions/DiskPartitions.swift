import Domain
import Jobs
import Measurement
import Platform

/// Partitions that wait on a disk. Each is read back by itself, with its users' assignments, and goes the way that
/// events in memory go.
struct DiskPartitions: UserPartitions {
  private let file: PartitionFile
  /// Knows the names; its users are those on the disk.
  private let roster: Roster
  private let rates: ExchangeRates
  private let cutoff: Instant
  private let types: EventTypes
  private let unpriced: UnpricedRejects
  private let countsOutside: Bool

  init(
    _ file: PartitionFile, roster: Roster, rates: ExchangeRates, cutoff: Instant, types: EventTypes,
    unpriced: UnpricedRejects, countsOutside: Bool
  ) {
    self.file = file
    self.roster = roster
    self.rates = rates
    self.cutoff = cutoff
    self.types = types
    self.unpriced = unpriced
    self.countsOutside = countsOutside
  }

  func attribute(
    by plan: MeasurementPlan, retaining rule: Job.MultipleGroups, abandoned: Set<Int>, threads: Int
  ) async throws -> AttributedEvents {
    let files = plan.history.fileCount
    let none: @Sendable () -> AttributedEvents = {
      AttributedEvents(sums: plan.emptySums, counts: (0..<files).map { _ in EventRouter.Counts() })
    }
    let parts = try await TaskPool.fold(file.partitionCount, limit: threads, state: none) { part, partition in
      for slice in file.slices(of: partition) {
        let users = try self.users(of: partition, in: slice)
        let (chunks, outside) = try events(of: partition, in: slice, users, &part)
        let within = partition >> (file.bits - UserDirectory.partitionBits)
        let memberships = users.memberships(
          partition: within, retaining: rule, order: plan.history.names, abandoned: abandoned,
          lateFile: plan.changes?.lateFile(of:))
        let events = PartitionEventIndex([chunks], partition: within, userCount: memberships.userCount)
        PartitionAggregation(plan, roster: memberships, partition: within).add(events, to: &part.sums)
        outside.map { OutsideAggregation(plan: plan, users: $0.users, chunks: [$0.chunks]) }?
          .add(within, to: &part.outside)
        try file.checkRoom()
      }
    }
    return parts.reduce(into: none()) { $0.merge($1) }
  }

  func assignedIDs(beside unassigned: UnassignedPurchases, threads: Int) async throws -> AssignedIDs {
    let wanted = AssignedIDs.Wanted(unassigned)
    let parts = try await TaskPool.fold(file.partitionCount, limit: threads, state: { AssignedIDs() }) {
      found, partition in
      for slice in file.slices(of: partition) {
        try users(of: partition, in: slice).users
          .forEach(partition: partition >> (file.bits - UserDirectory.partitionBits)) { found.accept($0, wanted) }
      }
    }
    return parts.reduce(into: AssignedIDs()) { $0.merge($1) }
  }

  // MARK: - Reading back

  private func users(of partition: Int, in slice: UserSlice) throws -> Roster {
    let users = Roster(someOf: roster)
    try file.forEachAssignments(of: partition) { source, body in
      let block = try AssignmentBlock(body, names: roster.names, attributes: roster.attributes, values: roster.values)
      try block.forEach { row in
        guard slice.isAll || slice.contains(ByteHash.hash64(row.user)) else { return }
        var row = row
        // A block of one file alone is told its number from outside.
        row.file += source
        users.add(row)
      }
    }
    return users
  }

  private func events(
    of partition: Int, in slice: UserSlice, _ users: Roster, _ part: inout AttributedEvents
  ) throws -> (chunks: EventChunks, outside: OutsideEvents?) {
    let chunks = EventChunks(partitions: UserDirectory.partitionCount)
    let outside =
      countsOutside
      ? OutsideEvents(users: OutsideUsers(), chunks: EventChunks(partitions: UserDirectory.partitionCount)) : nil
    var router = EventRouter(
      users: users.users, identities: .none, rates: rates, cutoff: cutoff, chunks: chunks, unpriced: unpriced,
      outside: outside)
    try file.forEachEvents(of: partition) { source, body in
      if source != router.file { finish(&router, &part) }
      router.file = source
      let block = try EventBlock(body, names: roster.names, types: types)
      try block.forEachEvent { event, position in
        if slice.isAll || slice.contains(ByteHash.hash64(event.user)) { router.receive(event, position: position) }
      }
      withExtendedLifetime(block) { router.finishBatch() }
      try file.checkRoom()
    }
    finish(&router, &part)
    return (chunks, outside)
  }

  /// The events of a source have all been received.
  private func finish(_ router: inout EventRouter, _ part: inout AttributedEvents) {
    router.finishFile()
    part.unassigned.merge(router.finishedUnassigned)
    if Int(router.file) < part.counts.count { part.counts[Int(router.file)].merge(router.finished) }
  }
}
