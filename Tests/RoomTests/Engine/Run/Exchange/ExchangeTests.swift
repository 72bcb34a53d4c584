import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("A run by tasks that share nothing")
struct ExchangeTests {
  private static let jobs = [
    "both-stores", "free-trial", "offering-price-test", "professional-plan", "three-day-access", "tiers-and-credits",
    "professional-plan-usd",
  ]

  private func night(_ outcome: NativeEngine.Outcome, _ job: Job, _ cutoff: Instant) throws -> NightResult {
    try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff, last: nil)
  }

  private func rows(_ table: Table) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try table.forEachRow { CSVExporter.appendRow($0, to: &bytes) }
    return bytes
  }

  private func expectSame(_ left: NightResult, _ right: NightResult) throws {
    for table in ResultTables.all {
      #expect(try rows(table.table(of: left)) == rows(table.table(of: right)), "\(table.name)")
    }
    #expect(left.rejects.all.map { "\($0)" } == right.rejects.all.map { "\($0)" })
  }

  @Test("Every table and reject is that of one process, in whatever order blocks come", arguments: jobs)
  func sameTables(name: String) async throws {
    let job = try JobReader.read(repository.appending(path: "jobs/\(name).yml").path)
    let cutoff = try Instant("2026-05-01", timezone: job.timezone)
    let alone = try night(try await NativeEngine(job: job, cutoff: cutoff, threads: 2).measure(), job, cutoff)
    for isReversed in [false, true] {
      var engine = ExchangedEngine(job, cutoff)
      engine.isReversed = isReversed
      engine.tasks = isReversed ? 1 : 5
      try expectSame(try night(try await engine.measure(), job, cutoff), alone)
    }
  }
}
