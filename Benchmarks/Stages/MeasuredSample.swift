@testable import Engine
import Domain
import Jobs

/// A sample as far as a run has come when it attributes: its users known, its events by user.
final class MeasuredSample: @unchecked Sendable {
  let plan: MeasurementPlan
  let users: UserDirectory
  let rates: ExchangeRates
  let cutoff: Instant
  let partitions: [(users: RosterPartition, events: PartitionEventIndex)]

  init(_ sample: Sample, until date: String) async throws {
    let job = sample.job
    cutoff = try Instant(date, timezone: job.timezone)
    let reference = try ReferenceTables(job: job)
    let roster = Roster(names: sample.names, attributes: job.segmentAttributes)
    for (number, file) in try job.assignments[0].files(relativeTo: job.file).enumerated() {
      let table = AssignmentTable(
        input: job.assignments[0], job: job, catalog: reference.catalog, cutoff: cutoff, roster: roster)
      _ = try table.read(file, number: number)
    }
    let logs = try PurchaseLogs(job, names: sample.names, types: sample.types, cutoff: cutoff, threads: 1)
    let events = try await logs.readEvents(of: roster, rates: reference.rates, onto: nil)
    guard let inMemory = events.partitions as? MemoryPartitions else {
      fatalError("A run without a limit is in memory")
    }
    plan = try MeasurementPlan(
      job: job, cutoff: cutoff, looksBack: false, roster: roster, reference: reference, types: sample.types,
      feeds: logs.feeds)
    users = roster.users
    rates = reference.rates
    partitions = (0..<UserDirectory.partitionCount).map { [plan] number in
      let users = roster.memberships(
        partition: number, retaining: job.multipleGroups, order: plan.history.names, abandoned: [])
      return (users, PartitionEventIndex(inMemory.chunks, partition: number, userCount: users.userCount))
    }
  }
}
