import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// Charges and refunds that do not go together, and what is said of them.
@Suite("Orders of several items, and refunds beyond their charge")
struct MoneyCountTests: OneUser {
  private func check(_ name: String, _ events: [String]) async throws -> Check? {
    try await SourceWorld("events", events).checks().first { $0.name == name }
  }

  private func item(_ order: Int, _ product: String, _ fields: [String: String] = [:]) -> String {
    event("purchase", march(2), ["transactionId": "\(order)", "productId": product].merging(fields) { $1 })
  }

  @Test("Items of an order that count as copies of one are told, and fail from one in a hundred")
  func items() async throws {
    let orders = (0..<198).map { item($0, "p") }
    // A copy of the same product is a copy, and says nothing.
    #expect(try await check("order_items", orders + [item(1, "p")]) == nil)
    let two = try await check("order_items", orders + [item(1, "q"), item(1, "r")])
    #expect(two?.status == .fail && two?.observed == 0.01)
    let one = try await check("order_items", orders + [item(1, "q"), item(199, "r"), item(200, "r")])
    #expect(one?.status == .pass && one?.observed == 1 / 201.0)
    #expect(two?.message.contains("items: true") == true)
  }

  @Test("Two feeds that call a product differently are no order of two items")
  func feeds() async throws {
    let row = ["store_transaction_id": "1", "product_identifier": "p:base"]
    var world = SourceWorld("revenuecat-export", ExportRows.file([row]))
    world.add("events", [event("purchase", "2026-03-02T10:00:00Z", ["transactionId": "1"])])
    let found = try await world.measure()
    #expect(found.moneyCounts.reported == 2 && found.moneyCounts.otherItems == 0 && found.setAside == [.duplicate: 1])
  }

  @Test("A refund beyond what is left of its charge is told; one in full, again, or a rounded cent is none")
  func refunds() async throws {
    func beyond(_ refunds: [String]) async throws -> [Int] {
      let counts = try await measure([charge()] + refunds).moneyCounts
      return [counts.refundsBeyondCharge, counts.refunds]
    }
    #expect(try await beyond([refund(march(3), "1000")]) == [1, 1])
    #expect(try await beyond([refund(march(3), "10")]) == [0, 1])
    #expect(try await beyond([refund(march(3), "6"), refund(march(4), "5")]) == [1, 2])
    #expect(try await beyond([refund(march(3), "10.009")]) == [0, 1])
    #expect(try await beyond([refund(march(3), "10.01")]) == [1, 1])
    #expect(try await beyond([refund(march(3)), refund(march(4))]) == [0, 2])
    #expect(try await beyond([refund(march(3), "10"), reversal(march(4)), refund(march(5), "10")]) == [0, 2])
    #expect(try await beyond([refund(march(3), "5", of: "other")]) == [0, 0])
    let check = try await check("refund_exceeds_charge", [charge(), refund(march(3), "1000")])
    #expect(check?.status == .fail && check?.observed == 1)
    #expect(try await self.check("refund_exceeds_charge", [charge(), refund(march(3), "10")]) == nil)
  }

  @Test("Only products of rows that count are said to be unknown")
  func unknownProducts() async throws {
    let rows = [
      item(1, "known"), item(2, "counts"), item(3, "sandbox", ["environment": "Sandbox"]),
      item(4, "late", ["occurredAt": "2026-05-01"]), item(5, "stranger", ["userId": "nobody"]),
      item(6, "unpriced", ["currency": "EUR"]), item(7, "rejected", ["price": "many"]), item(1, "known"),
    ]
    var world = World()
    world.events = rows
    world.products = ["known,auto_renewable,,,"]
    let notices = try await world.measure().notices.filter { $0.kind == .unknownProduct }
    #expect(notices.map(\.count) == [1] && notices[0].message.contains("\"counts\""))
    world.events = [rows[0]] + rows[2...]
    #expect(try await world.measure().notices.allSatisfy { $0.kind != .unknownProduct })
  }
}
