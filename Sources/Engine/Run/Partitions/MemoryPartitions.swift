import Jobs
import Platform

/// Partitions that have room in memory.
struct MemoryPartitions: UserPartitions {
  let roster: Roster
  /// The events, by thread that read them.
  let chunks: [EventChunks]
  /// Users in no offering, and their events, where the job asks for them.
  let outside: (users: OutsideUsers, chunks: [EventChunks])?

  func attribute(
    by plan: MeasurementPlan, retaining rule: Job.MultipleGroups, abandoned: Set<Int>, threads: Int
  ) async throws -> AttributedEvents {
    let parts = try await TaskPool.fold(
      UserDirectory.partitionCount, limit: threads, state: { AttributedEvents(sums: plan.emptySums) }
    ) { part, partition in
      add(partition, to: &part, by: plan, retaining: rule, abandoned: abandoned)
    }
    return parts.reduce(into: AttributedEvents(sums: plan.emptySums)) { $0.merge($1) }
  }

  /// Attributes and adds up one partition, once; otherwise as `attribute`.
  func add(
    _ partition: Int, to part: inout AttributedEvents, by plan: MeasurementPlan, retaining rule: Job.MultipleGroups,
    abandoned: Set<Int>
  ) {
    let memberships = roster.memberships(
      partition: partition, retaining: rule, order: plan.history.names, abandoned: abandoned,
      lateFile: plan.changes?.lateFile(of:))
    let events = PartitionEventIndex(chunks, partition: partition, userCount: memberships.userCount)
    PartitionAggregation(plan, roster: memberships, partition: partition).add(events, to: &part.sums)
    outside.map { OutsideAggregation(plan: plan, users: $0.users, chunks: $0.chunks) }?
      .add(partition, to: &part.outside)
  }

  func assignedIDs(beside unassigned: UnassignedPurchases, threads: Int) async throws -> AssignedIDs {
    let wanted = AssignedIDs.Wanted(unassigned)
    let parts = try await TaskPool.fold(UserDirectory.partitionCount, limit: threads, state: { AssignedIDs() }) {
      found, partition in
      roster.users.forEach(partition: partition) { found.accept($0, wanted) }
    }
    return parts.reduce(into: AssignedIDs()) { $0.merge($1) }
  }
}
