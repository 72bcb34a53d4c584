import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Simulation

/// Balances, moves to a higher tier, and events that came more than once, counted by hand.
@Suite("Credits, tiers, and what came twice")
struct CreditsAndTiersTests {
  private let balance = "name: credits_balance, starting: 6, spent_by: scan"

  private func scans(_ count: Int, from day: Int = 3) -> [String] {
    (0..<count).map { event("scan", march(day, "10:00:0\($0)")) }
  }

  @Test("A balance is what there was to start with and what charges granted, less what was spent")
  func balances() async throws {
    let monthly = charge("monthly", march(2), "purchase", ["transactionId": "1"])
    #expect(try await Life(events: []).sums(balance) == [6, 0])
    #expect(try await Life(events: scans(2)).sums(balance) == [4, 0])
    #expect(try await Life(events: [monthly] + scans(2)).sums(balance) == [34, 0])
    #expect(
      try await Life(events: [monthly, charge("coins", march(5), "one_time_purchase")]).sums(balance) == [41, 0])
    // What was refunded, if only in part, grants nothing; and nobody owes credits.
    let part = event("refund", march(4), ["transactionId": "1", "price": "1"])
    #expect(try await Life(events: [monthly, part] + scans(2)).sums(balance) == [4, 0])
    #expect(try await Life(events: scans(7)).sums(balance) == [0, 0])
    #expect(try await Life(events: scans(7) + [monthly]).sums(balance) == [29, 0])
    #expect(try await Life(events: [monthly] + scans(2)).sums("name: credits_balance, spent_by: scan") == [28, 0])
    #expect(try await Life(events: scans(2, from: 1) + scans(1, from: 9)).sums(balance + ", window: 7d") == [4, 0])
    // Both types spend.
    let both = "name: credits_balance, starting: 6, spent_by: [scan, message]"
    #expect(try await Life(events: scans(2) + [event("message", march(3))]).sums(both) == [3, 0])
  }

  @Test("Users with nothing left are counted beside a balance, those who never did anything are not among them")
  func zeroUsers() async throws {
    var world = Life(events: scans(6) + scans(9).map { $0.replacing("\"u1\"", with: "\"u2\"") }).world(balance)
    world.assignments = (1...4).map { "u\($0),test,control,2026-03-01" }
    let folder = try TemporaryFolder()
    let job = try JobReader.read(try world.write(to: folder))
    let asOf = try Instant("2026-06-01", timezone: .gmt)
    let outcome = try await NativeEngine(job: job, cutoff: asOf, threads: 1).measure()
    let night = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: asOf)
    let row = try #require(night.groupMetrics.first)
    #expect(row.value == 3)
    #expect(row.zeroUsers == 2)
    // Night by night it is the same as a run of that night: two scanned on the third day. No window ends, nor do the days.
    let days = try outcome.measurement.daily.nights().map { day in
      day.offerings.first?.groups.first?.segments.first?.metrics[0]?.statistics.sumY
    }
    #expect(Array(days.prefix(4)) == [24, 24, 12, 12])
    #expect(days.count == 92)
  }

  private let tierUp = "name: tier_up, tiers: [basic, gold]"

  @Test("A move up is a later subscription of a higher tier, in its time")
  func tiers() async throws {
    let basic = charge("monthly", march(2))
    #expect(try await Life(events: [basic]).sums(tierUp) == [0, 1])
    #expect(try await Life(events: [basic, charge("yearly", march(20))]).sums(tierUp) == [1, 1])
    #expect(try await Life(events: [basic, charge("yearly", "2026-04-01T12:00:00Z")]).sums(tierUp) == [1, 1])
    #expect(try await Life(events: [basic, charge("yearly", "2026-04-01T12:00:00.001Z")]).sums(tierUp) == [0, 1])
    #expect(try await Life(events: [basic, charge("yearly", march(20))]).sums(tierUp + ", within: 14d") == [0, 1])
    // A second purchase of the tier, or a first of the highest, moves nobody up; a product of no tier is none.
    #expect(try await Life(events: [basic, charge("weekly", march(20))]).sums(tierUp) == [0, 1])
    #expect(try await Life(events: [charge("yearly", march(2)), charge("monthly", march(9))]).sums(tierUp) == [0, 0])
    #expect(try await Life(events: [charge("odd", march(2)), charge("yearly", march(9))]).sums(tierUp) == [0, 0])
    #expect(try await Life(events: [basic, charge("odd", march(9))]).sums(tierUp) == [0, 1])
  }

  @Test("Who had a subscription before, and whose time is not over, is no part of those who may move up")
  func tierDenominator() async throws {
    let before = charge("weekly", "2026-02-20T12:00:00Z")
    #expect(
      try await Life(events: [before, charge("monthly", march(2)), charge("yearly", march(9))]).sums(tierUp) == [0, 0])
    let events = [charge("monthly", march(2)), charge("yearly", march(9))]
    #expect(try await Life(events: events, asOf: "2026-04-01T11:59:59.999Z").sums(tierUp) == [0, 0])
    #expect(try await Life(events: events, asOf: "2026-04-01T12:00:00Z").sums(tierUp) == [1, 1])
  }

  @Test("An event may be asked for more than once")
  func atLeast() async throws {
    let trials = [event("trial_start", march(2)), event("trial_start", march(16))]
    let twice = "name: event_rate, event: trial_start, at_least: 2, window: none"
    #expect(try await Life(events: [trials[0]]).sums(twice) == [0, 0])
    #expect(try await Life(events: [trials[0], trials[0]]).sums(twice) == [0, 0])
    #expect(try await Life(events: trials).sums(twice) == [1, 0])
    #expect(try await Life(events: trials).sums(twice.replacing("none", with: "7d")) == [0, 0])
  }

  @Test(
    "What a job leaves out or mistakes is said",
    arguments: [
      ("name: tier_up", "tier_up needs tiers:, each once, from the lowest to the highest."),
      ("name: tier_up, tiers: [a, a]", "tier_up needs tiers:, each once"),
      ("name: credits_balance", "credits_balance needs spent_by:, one event type or several."),
      ("name: credits_balance, spent_by: scan, starting: -1", "starting: \"-1\" is not a whole number from 0."),
      ("name: event_rate, event: scan, at_least: 0", "at_least: \"0\" is not a whole number from 1."),
    ])
  func mistakes(metric: String, message: String) async throws {
    let error = await #expect(throws: OfferliftError.self) { try await Life(events: []).sums(metric) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
