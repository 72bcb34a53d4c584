import Foundation
import Testing

@testable import Pipeline

/// How long subscribers stay, and what stands at T.
@Suite("Retention and revenue at T")
struct RetentionTests {
  /// Days and whether the subscription had ended.
  private func stay(_ events: [String], _ more: String = "", asOf: String = "2026-06-01") async throws -> [Int128] {
    try await Life(events: events, asOf: asOf).sums("name: retention\(more)")
  }

  private let ended: Int128 = 1
  private let watched: Int128 = 2

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

  @Test("Charges that come while access lasts carry it on, later ones do not")
  func carriedOn() async throws {
    let first = charge("weekly", march(2))
    let inGrace = charge("weekly", "2026-03-15T12:00:00Z", "renewal")
    let tooLate = charge("weekly", "2026-03-15T12:00:00.001Z", "renewal")
    #expect(try await stay([first, inGrace]) == [26, ended])
    #expect(try await stay([first, tooLate]) == [13, ended])
    #expect(try await stay([first, event("cancel", march(3)), charge("weekly", march(9), "renewal")]) == [20, ended])
    #expect(try await stay([first, event("cancel", march(3)), charge("weekly", march(10), "renewal")]) == [7, ended])
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
  }

  @Test("It begins with the first paid charge since the assignment, renewals of an older subscription included")
  func beginning() async throws {
    let old = charge("weekly", "2026-02-25T00:00:00Z")
    #expect(try await stay([old]) == [0, 0])
    #expect(try await stay([old, charge("weekly", march(4, "00:00:00"), "renewal")]) == [13, ended])
    let free = charge("weekly", march(2), "purchase", ["price": "0"])
    #expect(try await stay([free, charge("weekly", march(9), "renewal")]) == [13, ended])
    #expect(try await stay([charge("pass", march(2), "one_time_purchase")]) == [0, 0])
    #expect(try await stay([charge("weekly", march(2))], ", where: {tiers: [gold]}") == [0, 0])
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
    #expect(try await life.world("name: active_subscription").measure().notices.isEmpty)
    let ended = Life(events: [charge("odd", march(2)), event("expire", march(2))], asOf: "2026-03-03")
    #expect(try await ended.world("name: mrr").measure().notices.isEmpty)
  }
}
