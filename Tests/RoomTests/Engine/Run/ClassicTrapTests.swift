import Foundation
import Testing

@testable import Engine
@testable import Measurement

/// Mistakes that tools of this kind have made, each through a whole measurement. Those of one source format are
/// tested with that format, those of several feeds in `FeedsTests` and `OneStoryTests`.
@Suite("Classic traps")
struct ClassicTrapTests {
  @Test("Group names repeated across offerings are groups of their own offering")
  func repeatedGroupNames() async throws {
    var world = World()
    world.assignments = [
      "u1,test,control,2026-03-01", "u2,test,a,2026-03-01", "u1,other,a,2026-03-01", "u2,other,control,2026-03-01",
    ]
    world.events = [
      event("purchase", march(3), ["price": "3"]), event("purchase", march(3), ["userId": "u2", "price": "5"]),
    ]
    let found = try await world.measure()
    #expect(found.sums(0, group: "control", offering: "test")?.sumY == 3_000_000)
    #expect(found.sums(0, group: "control", offering: "other")?.sumY == 5_000_000)
    #expect(found.sums(0, group: "a", offering: "test")?.sumY == 5_000_000)
    #expect(found.sums(0, group: "a", offering: "other")?.sumY == 3_000_000)
  }

  @Test("A local time that daylight saving skips or repeats is rejected and not guessed")
  func daylightSaving() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    // In London clocks go from 01:00 to 02:00 on 29 March 2026, and from 02:00 to 01:00 on 26 October 2025.
    let skipped = "2026-03-29 01:30:00"
    let repeated = "2025-10-26 01:30:00"
    world.events = [skipped, repeated, "2026-03-29 00:59:59", "2026-03-29 02:00:00", "2026-03-29T01:30:00Z"]
      .map { event("purchase", $0) }
    let path = try world.write(to: folder)
    let job = try String(contentsOfFile: path, encoding: .utf8)
      .replacingOccurrences(of: "format: events}", with: "format: events, timezone: Europe/London}")
    try folder.write("job.yml", job)
    let found = try await World.measure(path, asOf: "2026-04-01", threads: 1)
    #expect(found.setAside == [.ambiguousTime: 2])
    #expect(found.rejects.all.map(\.line) == [1, 2])
    #expect(found.sums(3)?.sumY == 3)
  }

  @Test("Dollars, pounds and yen are never added: each charge is worth its own day's rate")
  func currencies() async throws {
    var world = World()
    world.rates = ["2026-03-02,GBP,1.25", "2026-03-03,GBP,1.50", "2026-03-02,JPY,0.0068"]
    world.events = [
      event("purchase", march(2), ["price": "10"]),
      event("purchase", march(2), ["price": "10", "currency": "GBP"]),
      event("purchase", march(3), ["price": "10", "currency": "GBP"]),
      event("purchase", march(2), ["price": "1000", "currency": "JPY"]),
    ]
    // 10 + 12.50 + 15 + 6.80
    #expect(try await world.measure().sums(0)?.sumY == 44_300_000)
  }

  @Test("A user whose window is not over is in neither numerator nor denominator")
  func immatureWindow() async throws {
    var world = World()
    world.metrics = ["{name: paying_conversion, window: 7d}"]
    world.assignments = ["u1,test,control,2026-03-25T00:00:00Z", "u2,test,control,2026-03-25T00:00:00.001Z"]
    world.events = [
      event("purchase", march(26)), event("purchase", march(26), ["userId": "u2"]),
    ]
    let metric = try await world.measure().metric(0)
    #expect(metric?.statistics.n == 1 && metric?.statistics.sumY == 1 && metric?.immature == 1)
  }

  @Test("A refund counts against its charge however late it comes, and not before it has come")
  func lateRefund() async throws {
    var world = World()
    world.metrics = ["{name: revenue_net, window: 1d}"]
    world.events = [
      event("purchase", "2026-03-01T12:00:00Z", ["transactionId": "1"]),
      event("refund", "2026-03-30T12:00:00Z", ["transactionId": "1", "price": "4"]),
    ]
    #expect(try await world.measure().sums(0)?.sumY == 6_000_000)
    world.asOf = "2026-03-30"
    #expect(try await world.measure().sums(0)?.sumY == 10_000_000)
  }

  @Test("What was bought before the assignment is not the test's, nor is its renewal a first purchase")
  func beforeTheAssignment() async throws {
    var world = World()
    world.metrics = [
      "{name: revenue_gross, window: 30d}", "{name: initial_conversion, window: 30d}",
      "{name: renewal_rate, window: 30d}",
    ]
    world.products = ["p,auto_renewable,,,"]
    world.events = [
      event("purchase", "2026-02-20T00:00:00Z", ["transactionId": "1"]),
      event("renewal", "2026-02-27T00:00:00Z", ["transactionId": "2"]),
    ]
    let before = try await world.measure()
    #expect(before.sums(0)?.sumY == 0 && before.sums(1)?.sumY == 0 && before.sums(2)?.sumX == 0)
    world.job = "new_customers_only: true"
    #expect(try await world.measure().offering?.earlierCustomers == 1)
  }
}
