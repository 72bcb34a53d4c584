import Foundation
import Platform
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

@Suite("Partitions of users on a disk")
struct DiskPartitionsTests {
  private static let jobs = [
    "both-stores", "free-trial", "offering-price-test", "professional-plan", "three-day-access", "tiers-and-credits",
  ]

  private func night(_ job: Job, _ limit: MemoryLimit?, threads: Int) async throws -> NightResult {
    let cutoff = try Instant("2026-05-01", timezone: job.timezone)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: threads, memory: limit).measure()
    return try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff, last: nil)
  }

  private func rows(_ table: Table) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try table.forEachRow { CSVExporter.appendRow($0, to: &bytes) }
    return bytes
  }

  /// Less than any inputs ask for.
  private func limit(_ bytes: Int64) -> MemoryLimit {
    MemoryLimit(ByteSize(bytes: bytes), folder: NSTemporaryDirectory())
  }

  @Test("Every table and reject is the same as in memory, in partitions and in slices of them", arguments: jobs)
  func sameTables(name: String) async throws {
    let job = try JobReader.read(repository.appending(path: "jobs/\(name).yml").path)
    let inMemory = try await night(job, nil, threads: 2)
    for (bytes, threads) in [(Int64(64_000_000), 1), (60_000, 2)] {
      let onDisk = try await night(job, limit(bytes), threads: threads)
      for table in ResultTables.all {
        #expect(
          try rows(table.table(of: onDisk)) == rows(table.table(of: inMemory)), "\(table.name) with \(bytes) bytes")
      }
      #expect(onDisk.rejects.all.map { "\($0)" } == inMemory.rejects.all.map { "\($0)" })
    }
  }

  @Test("A file left out because it is damaged leaves nothing in any partition")
  func damagedFile() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.job = "on_corrupt: skip"
    world.events = (0..<300).map { event("purchase", "2026-03-02T00:00:00Z", ["transactionId": "t\($0)"]) }
    let path = try world.write(to: folder)
    var packed = GzipWriter.pack(Array(world.events.joined(separator: "\n").utf8))
    packed[packed.count - 5] ^= 1
    try Data(packed).write(to: folder.url.appending(path: "events-2.jsonl.gz"))
    let job = try JobReader.read(path)
    let cutoff = try Instant(world.asOf, timezone: job.timezone)
    for limit in [nil, limit(60_000)] {
      let measurement = try await NativeEngine(job: job, cutoff: cutoff, threads: 2, memory: limit).measure()
        .measurement
      #expect(measurement.accounts.map(\.used) == [1, 0, 300])
      #expect(measurement.offerings[0].groups[0].segments[0].metrics[3]?.statistics.sumY == 300)
    }
  }

  @Test("An identity's events and assignments meet in one partition")
  func identities() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.assignments = ["anonymous,test,control,2026-03-01T00:00:00Z"]
    world.events = [event("purchase", "2026-03-02T00:00:00Z", ["userId": "account"])]
    world.job = "identities: {path: links.csv, columns: {alias: alias, user: user}}"
    try folder.write("links.csv", "alias,user\nanonymous,account\n")
    let job = try JobReader.read(try world.write(to: folder))
    let cutoff = try Instant(world.asOf, timezone: job.timezone)
    let measurement = try await NativeEngine(job: job, cutoff: cutoff, threads: 1, memory: limit(60_000)).measure()
      .measurement
    #expect(measurement.offerings[0].groups[0].segments[0].metrics[3]?.statistics.sumY == 1)
    #expect(measurement.userIDs.assignedUsers == 1)
  }
}
