import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Days without a time")
struct DaysAloneTests {
  private func world(_ orders: [String], assigned: String, zone: String = "UTC") -> SourceWorld {
    var world = SourceWorld(
      "events-csv", ["userId,occurredAt,productId,price"] + orders.map { "u1,\($0),p,1" },
      "defaults: {eventType: purchase, currency: USD}, timezone: \(zone)")
    world.world.assignments = ["u1,test,control,\(assigned)"]
    return world
  }

  @Test(
    "What was bought on the day of the assignment counts, and its order is told to be unknown",
    arguments: [
      (["2026-03-10"], "2026-03-10T10:15:00Z", 1, 1), (["2026-03-09"], "2026-03-10T10:15:00Z", 0, 0),
      (["2026-03-11"], "2026-03-10T10:15:00Z", 1, 0), (["2026-03-10 09:00:00"], "2026-03-10T10:15:00Z", 0, 0),
      (["2026-03-10 11:00:00"], "2026-03-10T10:15:00Z", 1, 0), (["2026-03-10 11:00:00"], "2026-03-10", 1, 1),
      (["2026-03-10"], "2026-03-10", 1, 1), (["2026-03-11 00:00:00"], "2026-03-10", 1, 0),
      (["2026-03-31"], "2026-03-10T10:15:00Z", 1, 0), (["2026-04-01"], "2026-03-10T10:15:00Z", 0, 0),
    ] as [([String], String, Int, Int)])
  func sameDay(orders: [String], assigned: String, counted: Int, unknown: Int) async throws {
    let found = try await world(orders, assigned: assigned).measure()
    #expect(Int(found.cents[0]) == 100 * counted)
    #expect(found.offering?.groups[0].purchases.ofUnknownOrder == unknown)
  }

  @Test("The day is that of the purchases' zone, also where a clock change makes it longer")
  func zones() async throws {
    // 8 March 2026 has 23 hours in New York, from 05:00Z to 04:00Z.
    for (assigned, unknown) in [
      ("2026-03-09T03:59:59.999Z", 1), ("2026-03-08T05:00:00Z", 1), ("2026-03-08T04:59:59Z", 0),
    ] {
      let found = try await world(["2026-03-08"], assigned: assigned, zone: "America/New_York").measure()
      #expect(found.cents[0] == 100 && found.offering?.groups[0].purchases.ofUnknownOrder == unknown, "\(assigned)")
    }
  }

  @Test("A refund of a day comes after what was charged that day, and access lasts to the end of its day")
  func refunds() async throws {
    let found = try await SourceWorld(
      "events-csv",
      [
        "userId,occurredAt,productId,price,eventType,transactionId", "u1,2026-03-10 22:00:00,p,5,purchase,1",
        "u1,2026-03-10,p,,refund,1",
      ], "defaults: {currency: USD}"
    ).measure()
    #expect(found.cents == [500, 0, 0, 1, 1])
  }

  @Test("The check day_only says how many, and none where all tell their time")
  func check() async throws {
    let reported = try await world(["2026-03-10", "2026-03-12 10:00:00"], assigned: "2026-03-10T10:15:00Z").checks()
    let check = try #require(reported.first { $0.name == "day_only" })
    #expect(check.status == .warn && check.observed == 0.5)
    #expect(check.message.hasPrefix("1 of 2 charges of measured users (50 %) came on the day of the user's assignment"))
    let silent = try await world(["2026-03-12 10:00:00"], assigned: "2026-03-10T10:15:00Z").checks()
    #expect(!silent.contains { $0.name == "day_only" })
  }
}
