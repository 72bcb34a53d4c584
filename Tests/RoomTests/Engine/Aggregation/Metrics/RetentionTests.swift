import Foundation
import Testing

@testable import Engine
@testable import Measurement
@testable import Simulation

/// How long subscribers stay, and what stands at the cut-off.
@Suite("Retention and revenue at the cut-off")
struct RetentionTests {
  /// Days and whether the subscription had ended; nothing for whoever never began.
  private func stay(_ events: [String], _ more: String = "", asOf: String = "2026-06-01") async throws -> [Int64] {
    guard let found = try await survival(events, more, asOf: asOf) else { return [] }
    return [found.days, found.isEnded ? ended : watched]
  }

  /// Renewals paid, and whether the next one was missed.
  private func renewals(_ events: [String], asOf: String) async throws -> [Int64] {
    guard let found = try await survival(events, "", asOf: asOf) else { return [] }
    return [found.renewals, found.isRenewalMissed ? ended : watched]
  }

  private func survival(_ events: [String], _ more: String, asOf: String) async throws -> Survival? {
    let sums = try await Life(events: events, asOf: asOf).sums("name: retention\(more)")
    return Survival(ValueCount(y: sums[0], x: sums[1], users: 1))
  }

  private let ended: Int64 = 1
  private let watched: Int64 = 2

  @Test("It lasts from the first paid charge to the end of access, in whole days")
  func lengths() async throws {
    let first = charge("weekly", march(2))
    // A week and six days of grace.
    #expect(try await stay([first]) == [13, ended])
    #expect(try await stay([first], asOf: "2026-03-15T12:00:00Z") == [13, ended])
    #expect(try await stay([first], asOf: "2026-03-15T11:59:59.999Z") == [12, watched])
    #expect(try await stay([first], asOf: "2026-03-02T12:00:00.001Z") == [0, watched])
    #expect(try await stay([first, event("expire", march(2, "12:00:01"))]) == [0, ended])
    #expect(try await stay([charge("odd", march(2))]) == [90, watched])
  }

  @Test("Charges that come while access lasts carry it on, renewals also later, purchases do not")
  func carriedOn() async throws {
    let first = charge("weekly", march(2))
    // The first week and its grace end on the 15th at noon.
    for type in ["renewal", "purchase"] {
      #expect(try await stay([first, charge("weekly", "2026-03-15T12:00:00Z", type)]) == [26, ended])
    }
    #expect(try await stay([first, charge("weekly", "2026-03-15T12:00:00.001Z", "renewal")]) == [26, ended])
    #expect(try await stay([first, charge("weekly", "2026-03-15T12:00:00.001Z")]) == [13, ended])
    #expect(try await stay([first, event("cancel", march(3)), charge("weekly", march(9), "renewal")]) == [20, ended])
    #expect(try await stay([first, event("expire", march(9)), charge("weekly", march(30), "renewal")]) == [41, ended])
    #expect(try await stay([first, event("cancel", march(3)), charge("weekly", march(10))]) == [7, ended])
    // Until the late renewal came, it was over.
    let late = [first, charge("weekly", march(20), "renewal")]
    #expect(try await stay(late, asOf: march(20)) == [13, ended])
    #expect(try await stay(late, asOf: march(21)) == [19, watched])
  }

  @Test("A renewal counts once it was due and its grace is over, whatever happened before")
  func renewalsDue() async throws {
    // A month from 2 March and 16 days of grace: 18 April. The next one: 2 May and 18 May.
    let first = charge("monthly", march(2))
    #expect(try await renewals([first], asOf: "2026-04-18T11:59:59Z") == [0, watched])
    #expect(try await renewals([first], asOf: "2026-04-18T12:00:00Z") == [0, ended])
    let gone = [first, event("cancel", march(3)), event("expire", "2026-04-02T12:00:00Z")]
    #expect(try await renewals(gone, asOf: "2026-04-18T11:59:59Z") == [0, watched])
    #expect(try await renewals(gone, asOf: "2026-04-18T12:00:00Z") == [0, ended])
    let paid = [first, charge("monthly", "2026-04-02T12:00:00Z", "renewal")]
    #expect(try await renewals(paid, asOf: "2026-04-18T11:59:59Z") == [0, watched])
    #expect(try await renewals(paid, asOf: "2026-04-18T12:00:00Z") == [1, watched])
    #expect(try await renewals(paid, asOf: "2026-05-18T12:00:00Z") == [1, ended])
    // An upgrade is the renewal; the year it pays for is not over.
    let upgraded = [first, charge("yearly", march(9))]
    #expect(try await renewals(upgraded, asOf: "2026-05-18T12:00:00Z") == [1, watched])
    #expect(try await renewals([charge("odd", march(2))], asOf: "2026-05-18") == [0, watched])
    #expect(
      try await renewals([charge("odd", march(2)), charge("odd", march(9), "renewal")], asOf: "2026-05-18") == [
        1, watched,
      ])
    #expect(
      try await renewals([charge("odd", march(2)), event("expire", march(9))], asOf: "2026-05-18") == [0, ended])
  }

  @Test("An upgrade is no second customer: it carries the same subscription on")
  func upgrade() async throws {
    let events = [
      charge("weekly", march(2), "purchase", ["transactionId": "1"]),
      charge("monthly", march(5), "purchase", ["transactionId": "2"]),
    ]
    // 5 March and a month are 5 April, and 16 days of grace the 21st.
    #expect(try await stay(events) == [50, ended])
    var life = Life(events: events, asOf: "2026-03-20")
    #expect(try await life.sums("name: active_subscription") == [1, 0])
    #expect(try await life.sums("name: mrr") == [10_000_000, 0])
    #expect(try await life.sums("name: subscription_conversion, window: 7d") == [1, 0])
    life.events[1] = charge("yearly", march(5), "purchase", ["price": "49.99"])
    #expect(try await life.sums("name: mrr") == [4_165_833, 0])
    // By product it is the upgrade's alone, so that products add up.
    #expect(try await life.sums("name: mrr, where: {products: [weekly]}") == [0, 0])
    #expect(try await life.sums("name: active_subscription, where: {tiers: [gold]}") == [1, 0])
  }

  @Test("It begins with the first paid charge since the assignment, of users who had no subscription before")
  func beginning() async throws {
    let old = charge("weekly", "2026-02-25T00:00:00Z")
    #expect(try await stay([old]) == [])
    #expect(try await stay([old, charge("weekly", march(4, "00:00:00"), "renewal")]) == [])
    #expect(
      try await stay([charge("pass", "2026-02-25T00:00:00Z", "one_time_purchase"), charge("weekly", march(2))]) == [
        13, ended,
      ])
    let free = charge("weekly", march(2), "purchase", ["price": "0"])
    #expect(try await stay([free, charge("weekly", march(9), "renewal")]) == [13, ended])
    #expect(try await stay([charge("pass", march(2), "one_time_purchase")]) == [])
    #expect(try await stay([charge("weekly", march(2))], ", where: {tiers: [gold]}") == [])
  }

  @Test("A month's part of the charge that gives access, whenever the user was assigned")
  func monthly() async throws {
    func mrr(_ events: [String], _ more: String = "", asOf: String = "2026-03-03") async throws -> Int128 {
      try await Life(events: events, asOf: asOf).sums("name: mrr\(more)")[0]
    }
    #expect(try await mrr([charge("weekly", march(2), "purchase", ["price": "7.99"])]) == 31_960_000)
    #expect(try await mrr([charge("yearly", "2026-01-01T00:00:00Z", "purchase", ["price": "60"])]) == 5_000_000)
    #expect(try await mrr([charge("weekly", march(2))], asOf: "2026-03-15T12:00:00Z") == 0)
    #expect(try await mrr([charge("pass", march(2), "one_time_purchase")]) == 0)
    #expect(try await mrr([charge("weekly", march(2))], ", where: {products: [monthly]}") == 0)
    #expect(try await mrr([charge("weekly", march(2))], ", cap: {value: 12.5}") == 12_500_000)
  }

  @Test("Revenue of a product of unknown length is no month's, and a check names the product")
  func unknownPeriod() async throws {
    let life = Life(events: [charge("odd", march(2))], asOf: "2026-03-03")
    #expect(try await life.sums("name: mrr") == [0, 0])
    let notices = try await life.world("name: mrr").measure().notices
    #expect(notices.first { $0.check == "unknown_period" }?.message.contains("\"odd\"") == true)
    #expect(try await life.world("name: active_subscription").measure().notices.map(\.check) == ["unknown_period"])
    #expect(try await life.sums("name: active_subscription") == [1, 0])
    // Where the log tells when access ends, and no store's period ends there, only what needs the period's length lacks it.
    let reported = Life(events: [charge("odd", march(2), "purchase", ["expiresDate": march(22)])], asOf: "2026-03-03")
    #expect(try await reported.world("name: active_subscription").measure().notices.isEmpty)
    #expect(try await reported.world("name: mrr").measure().notices.map(\.check) == ["unknown_period"])
    let pass = Life(events: [charge("pass?", march(2), "one_time_purchase")], asOf: "2026-03-03")
    #expect(try await pass.world("name: mrr").measure().notices.map(\.check) == ["unknown_period"])
    let ended = Life(events: [charge("odd", march(2)), event("expire", march(2))], asOf: "2026-03-03")
    #expect(try await ended.world("name: mrr").measure().notices.isEmpty)
  }
}
