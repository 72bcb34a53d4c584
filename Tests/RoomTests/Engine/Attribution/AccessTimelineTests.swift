import Foundation
import Testing

@testable import Domain
@testable import Simulation

/// Until when charges give access, seen through the metrics that are taken at the cut-off.
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
  private let reported = ["expiresDate": "2026-03-09T12:00:00Z"]

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
  func reportedEnd() async throws {
    let first = charge("weekly", march(2), "purchase", reported)
    #expect(try await ends([first], at: "2026-03-09T12:00:00Z"))
    let retry = event("billing_retry", "2026-03-09T12:00:00Z")
    #expect(try await ends([first, event("billing_retry", march(9, "11:59:59"))], at: "2026-03-15T12:00:00Z"))
    let graced = event("billing_retry", march(9, "11:00:00"), ["expiresDate": "2026-03-12T12:00:00Z"])
    #expect(try await ends([first, graced], at: "2026-03-12T12:00:00Z"))
    // A later retry that tells no end of its grace leaves it to the product's.
    #expect(try await ends([first, graced, retry], at: "2026-03-15T12:00:00Z"))
  }

  @Test("Of two charges or failed renewals at one instant, alike in all else, the one that tells a later end decides")
  func oneInstant() async throws {
    for (short, long) in [("1", "2"), ("2", "1"), ("3", "4"), ("4", "3"), ("5", "6"), ("6", "5")] {
      let charges = [
        charge("weekly", march(2), "purchase", ["transactionId": long, "expiresDate": "2026-03-11T12:00:00Z"]),
        charge("weekly", march(2), "purchase", ["transactionId": short, "expiresDate": "2026-03-09T12:00:00Z"]),
      ]
      #expect(try await ends(charges, at: "2026-03-11T12:00:00Z"))
      let retries = [
        event("billing_retry", march(9), ["eventId": short]),
        event("billing_retry", march(9), ["eventId": long, "expiresDate": "2026-03-12T12:00:00Z"]),
      ]
      #expect(try await ends([weekly] + retries, at: "2026-03-12T12:00:00Z"))
    }
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
  func nextInterval() async throws {
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

  @Test("A failed renewal's grace ends where it says, whether the charge told its end or not")
  func reportedGrace() async throws {
    let graced = event("billing_retry", march(9, "11:00:00"), ["expiresDate": "2026-03-12T12:00:00Z"])
    #expect(try await ends([weekly, graced], at: "2026-03-12T12:00:00Z"))
    #expect(try await ends([charge("odd", march(2)), graced], at: "2026-03-12T12:00:00Z"))
    #expect(try await ends([weekly, graced, event("cancel", march(9, "11:30:00"))], at: "2026-03-09T12:00:00Z"))
  }

  @Test("An extension moves the end, without a charge and without grace of its own")
  func extended() async throws {
    let longer = event("extend", march(4), ["expiresDate": "2026-03-20T12:00:00Z"])
    for first in [weekly, charge("weekly", march(2), "purchase", reported), charge("odd", march(2))] {
      #expect(try await ends([first, longer], at: "2026-03-20T12:00:00Z"))
      #expect(try await ends([first, longer, event("cancel", march(5))], at: "2026-03-20T12:00:00Z"))
      #expect(try await ends([first, longer, event("expire", march(8))], at: "2026-03-08T12:00:00.001Z"))
    }
    let again = event("extend", march(6), ["expiresDate": "2026-03-18T12:00:00Z"])
    #expect(try await ends([weekly, longer, again], at: "2026-03-18T12:00:00Z"))
    #expect(try await ends([weekly, longer, event("billing_retry", march(19))], at: "2026-03-26T12:00:00Z"))
    // A retry before it has been answered by it.
    #expect(try await ends([weekly, event("billing_retry", march(3)), longer], at: "2026-03-20T12:00:00Z"))
    let other = event("extend", march(4), ["expiresDate": "2026-03-20T12:00:00Z", "productId": "yearly"])
    #expect(try await ends([weekly, other], at: "2026-03-15T12:00:00Z"))
  }

  @Test("An expiry ends access there and then, the first one that names no other product")
  func expired() async throws {
    let first = charge("monthly", march(2))
    for named in [[:], ["productId": "monthly"]] {
      let expire = event("expire", march(5), named)
      #expect(try await ends([first, expire, event("expire", march(7))], at: "2026-03-05T12:00:00.001Z"))
    }
    let others = event("expire", march(5), ["productId": "weekly"])
    #expect(try await ends([first, others], at: "2026-04-18T12:00:00Z"))
    #expect(try await ends([first, others, event("expire", march(7))], at: "2026-03-07T12:00:00.001Z"))
    // One that comes after the end takes nothing away, and one before the charge is not its own.
    let late = event("expire", march(20))
    #expect(try await ends([weekly, late, event("cancel", march(3))], at: "2026-03-09T12:00:00Z"))
    #expect(try await ends([weekly, event("expire", march(1))], at: "2026-03-15T12:00:00Z"))
  }

  @Test("What names another product neither turns renewal off nor fails it")
  func otherProducts() async throws {
    let yearly = ["productId": "yearly"]
    #expect(try await ends([weekly, event("cancel", march(4), yearly)], at: "2026-03-15T12:00:00Z"))
    let off = [weekly, event("cancel", march(4)), event("uncancel", march(5), yearly)]
    #expect(try await ends(off, at: "2026-03-09T12:00:00Z"))
    let first = charge("weekly", march(2), "purchase", reported)
    #expect(try await ends([first, event("billing_retry", march(9, "11:00:00"), yearly)], at: "2026-03-09T12:00:00Z"))
  }

  @Test("The latest subscription charge decides, whatever an earlier one had paid for")
  func latest() async throws {
    let yearly = charge("yearly", march(1), "purchase", ["price": "99.96"])
    let monthly = charge("monthly", march(6))
    let ending = [
      yearly, monthly, event("cancel", march(21)), event("expire", "2026-04-06T12:00:00Z", ["productId": "monthly"]),
    ]
    #expect(try await ends(ending, at: "2026-04-06T12:00:00Z"))
    let upgrade = [charge("monthly", march(1)), charge("yearly", march(6))]
    let old = event("expire", "2026-04-01T12:00:00Z", ["productId": "monthly"])
    #expect(try await ends(upgrade + [old, event("cancel", march(7))], at: "2027-03-06T12:00:00Z"))
    #expect(
      try await ends(
        [charge("monthly", march(2)), charge("weekly", march(5)), event("expire", march(6))],
        at: "2026-03-06T12:00:00.001Z"))
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
    // A second one takes nothing and moves nothing, unless the first was undone.
    #expect(
      try await ends([first, refund, event("refund", march(8), Self.refundable)], at: "2026-03-05T12:00:00.001Z"))
    let undone = [event("refund_reversal", march(6), Self.refundable), event("refund", march(8), Self.refundable)]
    #expect(try await ends([first, refund] + undone, at: "2026-03-08T12:00:00.001Z"))
  }

  @Test("A product whose length nobody tells gives access until something ends it")
  func open() async throws {
    #expect(
      try await Life(events: [charge("odd", "2020-01-01T00:00:00Z")]).sums("name: active_subscription") == [1, 0])
    #expect(try await ends([charge("odd", march(2)), event("expire", march(5))], at: "2026-03-05T12:00:00.001Z"))
  }
}
