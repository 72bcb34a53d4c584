import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Refunds act on their charges")
struct RefundedChargeTests: OneUser {
  @Test("A refund without a price takes all back, one with a price that part")
  func refunds() async throws {
    #expect(try await cents([charge(), refund(march(3))]) == [1000, 0])
    #expect(try await cents([charge(), refund(march(3), "2.5")]) == [1000, 750])
    #expect(try await cents([charge(), charge("2"), refund(march(3), of: "2")]) == [2000, 1000])
  }

  @Test("Parts add up, and never to more than the charge")
  func parts() async throws {
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(4), "3")]) == [1000, 500])
    #expect(try await cents([charge(), refund(march(3), "8"), refund(march(4), "8")]) == [1000, 0])
    #expect(try await cents([charge(), refund(march(3)), refund(march(4), "5")]) == [1000, 0])
    #expect(try await cents([charge(), refund(march(3), "10.01")]) == [1000, 0])
    #expect(try await cents([charge(price: "0"), refund(march(3))]) == [0, 0])
  }

  @Test("A reversal restores all, and what comes later counts again")
  func reversals() async throws {
    #expect(try await cents([charge(), refund(march(3)), reversal(march(4))]) == [1000, 1000])
    #expect(
      try await cents([charge(), refund(march(3), "2"), refund(march(4), "3"), reversal(march(5))]) == [1000, 1000])
    #expect(try await cents([charge(), refund(march(3)), reversal(march(4)), refund(march(5), "4")]) == [1000, 600])
    #expect(try await cents([charge(), reversal(march(3)), refund(march(4), "4")]) == [1000, 600])
  }

  @Test("At one instant refunds come before reversals")
  func sameInstant() async throws {
    #expect(try await cents([charge(), reversal(march(3)), refund(march(3))]) == [1000, 1000])
    #expect(
      try await cents([charge(), reversal(march(3)), refund(march(3), "4"), refund(march(3), "5")]) == [1000, 1000])
  }

  @Test("A refund acts on its charge whenever before the cut-off it comes, even before the charge")
  func refundTimes() async throws {
    #expect(try await cents([charge(), refund("2026-03-31T23:59:59.999Z")]) == [1000, 0])
    #expect(try await cents([charge(), refund("2026-04-01T00:00:00Z")]) == [1000, 1000])
    #expect(try await cents([charge(at: march(20)), refund(march(3))]) == [1000, 0])
  }

  @Test("A refund acts on the one charge that is kept of several copies")
  func refundOfCopy() async throws {
    #expect(
      try await cents([charge(price: "10"), charge(price: "8", at: march(3)), refund(march(4), "9")]) == [1000, 100])
  }

  @Test("A refund whose charge is unknown is counted and has no effect")
  func orphans() async throws {
    let found = try await measure([
      charge(), refund(march(3), of: "2"), event("refund", march(3)), reversal(march(4), of: "3"),
      event("purchase", march(2), ["transactionId": "9", "environment": "Sandbox"]), refund(march(5), of: "9"),
      event("purchase", march(2), ["transactionId": "8", "userId": "u9"]), refund(march(6), of: "8"),
    ])
    // The last one's charge is a stranger's, and so is what takes it back.
    #expect(found.orphanRefunds == 4)
    #expect(found.money[...1] == [10_000_000, 10_000_000])
    #expect(found.used == 5)
  }

  @Test("Refunds are one per event id, else per transaction, time and amount")
  func duplicateRefunds() async throws {
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(3), "2")]) == [1000, 800])
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(3), "3")]) == [1000, 500])
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(4), "2")]) == [1000, 600])
    let ids = [["eventId": "a"], ["eventId": "b"], ["eventId": "a"]]
    let lines = ids.map { refund(march(3), "2", of: "1", $0) }
    #expect(try await cents([charge()] + lines) == [1000, 600])
    #expect(try await measure([charge()] + lines).setAside == [.duplicate: 1])
    #expect(
      try await cents([charge(), refund(march(3)), refund(march(3)), reversal(march(3)), reversal(march(3))]) == [
        1000, 1000,
      ])
  }

  @Test("refund_rate counts the charges of which a refund stands")
  func refundRate() async throws {
    let found = try await measure([
      charge("1"), charge("2"), charge("3"), charge("4", price: "0"), refund(march(3), of: "1"),
      refund(march(3), "1", of: "2"),
      refund(march(3), of: "3"), reversal(march(4), of: "3"), refund(march(3), of: "4"),
    ])
    #expect(found.sums(4)?.sumX == 4)
    #expect(found.sums(4)?.sumY == 2)
  }
}
