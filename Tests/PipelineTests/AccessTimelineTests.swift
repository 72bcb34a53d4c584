import Foundation
import Testing

@testable import Pipeline

/// Until when charges give access, seen through the metrics that are taken at T.
@Suite("Access")
struct AccessTimelineTests {
  /// The last instant of access, found by asking at both sides of it: nil while access is open.
  private func ends(_ events: [String], at time: String) async throws -> Bool {
    let end = try Instant(time, timezone: .gmt).milliseconds
    func isActive(_ milliseconds: Int64) async throws -> Bool {
      try await Life(events: events, asOf: Instant(milliseconds: milliseconds).rfc3339)
        .sums("name: active_subscription") == [1, 0]
    }
    let (before, after) = (try await isActive(end - 1), try await isActive(end))
    return before && !after
  }

  private let weekly = charge("weekly", march(2))
  private let told = ["expiresDate": "2026-03-09T12:00:00Z"]

  @Test("Where the log does not tell the end, access goes on for the period and its grace")
  func untold() async throws {
    #expect(try await ends([charge("weekly", march(2))], at: "2026-03-15T12:00:00Z"))
    #expect(try await ends([charge("monthly", "2026-01-31T12:00:00Z")], at: "2026-03-16T12:00:00Z"))
    #expect(try await ends([charge("weekly", march(2), "renewal", ["price": "0"])], at: "2026-03-15T12:00:00Z"))
  }

  @Test("A leap day's year ends on the 28th of February")
  func leapDay() async throws {
    var life = Life(events: [charge("yearly", "2024-02-29T00:00:00Z"), event("cancel", "2024-03-01T00:00:00Z")])
    life.asOf = "2025-02-27T23:59:59.999Z"
    life.assignedAt = "2024-02-01"
    #expect(try await life.sums("name: active_subscription") == [1, 0])
    life.asOf = "2025-02-28"
    #expect(try await life.sums("name: active_subscription") == [0, 0])
  }

  @Test("An end the log tells is the end, unless a renewal has failed: then grace counts")
  func toldEnd() async throws {
    let first = charge("weekly", march(2), "purchase", told)
    #expect(try await ends([first], at: "2026-03-09T12:00:00Z"))
    let retry = event("billing_retry", "2026-03-09T12:00:00Z")
    #expect(try await ends([first, event("billing_retry", march(9, "11:59:59"))], at: "2026-03-15T12:00:00Z"))
    let graced = event("billing_retry", march(9, "11:00:00"), ["expiresDate": "2026-03-12T12:00:00Z"])
    #expect(try await ends([first, graced], at: "2026-03-12T12:00:00Z"))
    // A later retry that tells no end of its grace leaves it to the product's.
    #expect(try await ends([first, graced, retry], at: "2026-03-15T12:00:00Z"))
  }

  @Test("With renewal off access ends with its period, and at one instant turning it off counts last")
  func canceled() async throws {
    let first = weekly
    let cancel = event("cancel", march(4))
    #expect(try await ends([first, cancel], at: "2026-03-09T12:00:00Z"))
    #expect(try await ends([first, cancel, event("uncancel", march(5))], at: "2026-03-15T12:00:00Z"))
    #expect(try await ends([first, cancel, event("uncancel", march(4))], at: "2026-03-09T12:00:00Z"))
    #expect(try await ends([first, event("cancel", march(1))], at: "2026-03-15T12:00:00Z"))
  }

  @Test("Renewal turned off in an older stretch is on again with the next charge")
  func nextStretch() async throws {
    let events = [
      charge("weekly", march(2)), event("cancel", march(4)), charge("weekly", march(9), "renewal"),
    ]
    #expect(try await ends(events, at: "2026-03-22T12:00:00Z"))
    let life = Life(events: events, asOf: "2026-03-10")
    #expect(try await life.sums("name: set_to_renew") == [1, 0])
    let off = Life(events: events + [event("cancel", march(9))], asOf: "2026-03-10")
    #expect(try await off.sums("name: set_to_renew") == [0, 0])
    #expect(try await off.sums("name: active_subscription") == [1, 0])
  }

  @Test("An expiry ends access there and then, the first one, whatever product it names")
  func expired() async throws {
    let first = charge("monthly", march(2))
    let expire = event("expire", march(5), ["productId": "weekly"])
    #expect(try await ends([first, expire, event("expire", march(7))], at: "2026-03-05T12:00:00.001Z"))
    // One that comes after the end takes nothing away, and one before the charge is not its own.
    let late = event("expire", march(20))
    #expect(try await ends([weekly, late, event("cancel", march(3))], at: "2026-03-09T12:00:00Z"))
    #expect(try await ends([weekly, event("expire", march(1))], at: "2026-03-15T12:00:00Z"))
  }

  @Test("Grace waits for the next charge, and no longer once that has come")
  func supersededGrace() async throws {
    let monthly = charge("monthly", march(2))
    let early = charge("weekly", march(5))
    // The month is paid whole, its grace is not left over from before.
    #expect(try await ends([monthly, early, event("expire", march(6))], at: "2026-04-02T12:00:00Z"))
    let renewed = [weekly, charge("weekly", march(10), "renewal")]
    #expect(try await ends(renewed + [event("cancel", march(11))], at: "2026-03-17T12:00:00Z"))
    #expect(try await ends(renewed + [event("expire", march(11))], at: "2026-03-11T12:00:00.001Z"))
  }

  private static let refundable = ["transactionId": "1"]

  @Test("A charge taken back in full gives access up to its refund, until that is reversed")
  func refunded() async throws {
    let first = charge("weekly", march(2), "purchase", Self.refundable)
    let refund = event("refund", march(5), Self.refundable)
    #expect(try await ends([first, refund], at: "2026-03-05T12:00:00.001Z"))
    let part = event("refund", march(5), ["transactionId": "1", "price": "9.99"])
    #expect(try await ends([first, part], at: "2026-03-15T12:00:00Z"))
    #expect(
      try await ends([first, refund, event("refund_reversal", march(6), Self.refundable)], at: "2026-03-15T12:00:00Z"))
  }

  @Test("A product whose length nobody tells gives access until something ends it")
  func open() async throws {
    #expect(
      try await Life(events: [charge("odd", "2020-01-01T00:00:00Z")]).sums("name: active_subscription") == [1, 0])
    #expect(try await ends([charge("odd", march(2)), event("expire", march(5))], at: "2026-03-05T12:00:00.001Z"))
  }
}
