import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("The money of a charge, and its kind")
struct ChargeMoneyTests: OneUser {
  @Test("Each charge is converted once, rounded half to even, at its UTC day's rate")
  func conversion() async throws {
    let rates = ["2026-03-02,EUR,1.1", "2026-03-03,EUR,0.0000005", "2026-03-04,EUR,0.0000015", "2026-03-05,EUR,2"]
    func gross(_ price: String, _ time: String) async throws -> Int128 {
      try await measure([event("purchase", time, ["price": price, "currency": "eur"])]) { $0.rates = rates }.money[0]
    }
    #expect(try await gross("7.99", march(2)) == 8_789_000)
    #expect(try await gross("1", march(3)) == 0)
    #expect(try await gross("1", march(4)) == 2)
    #expect(try await gross("1", "2026-03-05T00:00:00+01:00") == 2)
    #expect(try await gross("1", "2026-03-05T00:00:00Z") == 2_000_000)
  }

  @Test("A refund uses the rate of its charge")
  func refundConversion() async throws {
    let found = try await measure([
      event("purchase", march(2), ["transactionId": "1", "currency": "EUR"]),
      refund(march(9), "4", of: "1", ["currency": "EUR"]),
    ]) { $0.rates = ["2026-03-02,EUR,1.5", "2026-03-09,EUR,9"] }
    #expect(found.money[...1] == [15_000_000, 9_000_000])
  }

  @Test("A charge without a rate is a reject with its place; a refund of it is an orphan")
  func rateless() async throws {
    let found = try await measure([
      charge(), event("purchase", march(9), ["currency": "EUR", "transactionId": "7"]), refund(march(10), of: "7"),
    ]) { $0.rates = ["2026-03-01,EUR,1.5"] }
    #expect(found.setAside == [.noExchangeRate: 1])
    #expect(found.rejects.all.map(\.line) == [2])
    #expect(
      found.rejects.all.first?.detail
        == "no rate of EUR for 2026-03-09 or the 7 days before; exchange_rates: names a table of date, currency, rate "
        + "(USD for 1 EUR)")
    #expect(found.orphanRefunds == 1)
  }

  @Test("Proceeds are net without tax and commission, rounded half to even once")
  func proceeds() async throws {
    func proceeds(_ price: String, _ product: String, _ refunded: String? = nil) async throws -> Int128 {
      let charge = event("purchase", march(2), ["price": price, "productId": product, "transactionId": "1"])
      let lines = [charge] + (refunded.map { [refund(march(3), $0)] } ?? [])
      return try await measure(lines) { world in
        world.products = [
          "p,,,,", "taxed,,,20,", "both,,,19.5,15", "free,,,,0", "half,,,,50", "gone,,,100,",
          "odd,,,33.333333,33.333333",
        ]
      }.money[2]
    }
    #expect(try await proceeds("10", "p") == 7_000_000)
    #expect(try await proceeds("10", "unlisted") == 7_000_000)
    #expect(try await proceeds("10", "taxed") == 5_600_000)
    #expect(try await proceeds("7.99", "both") == 5_467_158)  // 5,467,157.5 rounds to even
    #expect(try await proceeds("10", "free") == 10_000_000)
    #expect(try await proceeds("0.000001", "half") == 0)
    #expect(try await proceeds("0.000003", "half") == 2)
    #expect(try await proceeds("10", "gone") == 0)
    #expect(try await proceeds("10", "p", "4") == 4_200_000)
    #expect(try await proceeds("1", "odd") == 444_444)
  }

  @Test("Money beyond 64 bits of micros is an error, not a wrap")
  func overflow() async throws {
    let error = await #expect(throws: OfferliftError.self) {
      try await measure([event("purchase", march(2), ["price": "9000000000000", "currency": "EUR"])]) {
        $0.rates = ["2026-03-01,EUR,9"]
      }
    }
    #expect(error?.exit == .badData)
  }

  @Test("A product's kind: its table, else the catalog, else the event's type")
  func kinds() async throws {
    func oneTime(_ type: String, _ products: [String]) async throws -> (Int128?, [Notice]) {
      let found = try await measure([event(type, march(2))]) { world in
        world.metrics = ["{name: one_time_conversion, window: none}"]
        world.products = products
      }
      return (found.sums(0)?.sumY, found.notices.filter { $0.check == "unknown_product" })
    }
    #expect(try await oneTime("purchase", ["p,consumable,,,"]).0 == 1)
    #expect(try await oneTime("one_time_purchase", ["p,auto_renewable,,,"]).0 == 0)
    #expect(try await oneTime("purchase", []).0 == 0)
    #expect(try await oneTime("one_time_purchase", []).0 == 1)
    #expect(try await oneTime("renewal", ["p,,,,"]).0 == 0)
    #expect(try await oneTime("renewal", ["p,non_renewing,,,"]).1.isEmpty)
    let notice = try await oneTime("renewal", ["q,consumable,,,"]).1
    #expect(notice.map(\.count) == [1])
    #expect(notice.first?.message.contains("\"p\"") == true)
  }
}
