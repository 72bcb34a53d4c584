import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// Gross → refunds → net → tax → the store's share → proceeds, counted by hand.
@Suite("The way of a group's money")
struct MoneyWayTests {
  private func sales(_ world: World) async throws -> Sales {
    try #require(try await world.measure().offering?.groups.first).tables.sales
  }

  @Test("Each charge's tax is rounded by itself, and the store keeps what remains")
  func way() async throws {
    var world = World()
    world.products = ["taxed,auto_renewable,,20,15", "half,consumable,,50,0", "plain,consumable,,,"]
    world.events = [
      // Net 5,000,001: tax 1,000,000.2, proceeds 3,400,000.68.
      event("purchase", march(2), ["productId": "taxed", "price": "7.500001", "transactionId": "1"]),
      event("refund", march(3), ["transactionId": "1", "price": "2.50", "currency": "USD"]),
      // Of 3 millionths both halves round to 2: tax takes what proceeds leave.
      event("one_time_purchase", march(4), ["productId": "half", "price": "0.000003"]),
      event("one_time_purchase", march(5), ["productId": "plain", "price": "1"]),
      // Taken back whole, and paid before the assignment.
      event("one_time_purchase", march(6), ["productId": "taxed", "price": "9", "transactionId": "2"]),
      event("refund", march(7), ["transactionId": "2"]),
      event("one_time_purchase", "2026-02-20T00:00:00Z", ["productId": "taxed", "price": "9"]),
    ]
    let sales = try await sales(world)
    #expect(sales.gross == 7_500_001 + 3 + 1_000_000 + 9_000_000)
    #expect(sales.refunds == 2_500_000 + 9_000_000)
    #expect(sales.net == 5_000_001 + 3 + 1_000_000)
    #expect(sales.tax == 1_000_000 + 1)
    #expect(sales.proceeds == 3_400_001 + 2 + 700_000)
    #expect(sales.storeShare == 600_000 + 0 + 300_000)
  }

  @Test("What a log tells of its own tax goes before the products table")
  func reported() async throws {
    let shares = ["tax_percentage": "0.1", "commission_percentage": "0.15"]
    let price = ["price_in_purchased_currency": "10", "purchase_price_in_purchased_currency": "10"]
    var world = SourceWorld(
      "revenuecat-export",
      ExportRows.file([shares.merging(price) { $1 }], columns: ExportRows.columns + shares.keys.sorted()))
    world.world.products = ["p,auto_renewable,,50,50"]
    let sales = try #require(try await world.measure().offering?.groups.first).tables.sales
    #expect(sales.gross == 10_000_000 && sales.tax == 1_000_000)
    #expect(sales.proceeds == 7_500_000 && sales.storeShare == 1_500_000)
  }
}
