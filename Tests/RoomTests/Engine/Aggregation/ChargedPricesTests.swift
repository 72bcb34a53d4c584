import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("What users were charged, held against the other groups'")
struct ChargedPricesTests {
  /// A group of which each product was charged so many times at so many units; nil where it has no one price.
  private func group(_ sales: (product: Identifier, charges: Int, price: Double?)...) -> ChargedPrices {
    var tables = GroupTables()
    tables.products = sales.map { sale in
      var sums = ProductSales.Sums()
      sums.charges = sale.charges
      return ProductSales(product: sale.product, kind: .autoRenewable, sums: sums)
    }
    tables.prices = sales.compactMap { sale in
      sale.price.map { ProductPrice(product: sale.product, price: Int64($0 * 1_000_000)) }
    }
    return ChargedPrices(tables)
  }

  private func differ(_ group: ChargedPrices, _ other: ChargedPrices) -> Bool {
    let found = group.differ(from: other)
    #expect(other.differ(from: group) == found)
    return found
  }

  @Test("The same product at another price differs, as soon as there are enough charges")
  func otherPrice() {
    #expect(differ(group(("m", 500, 9.99)), group(("m", 700, 6.99))))
    #expect(differ(group(("m", 40_000, 9.99)), group(("m", 40_000, 9.49))))
    #expect(differ(group(("m", 15, 9.99)), group(("m", 15, 6.99))))
    #expect(!differ(group(("m", 15, 9.99)), group(("m", 9, 6.99))))
  }

  @Test("A product that has no one price in a group differs in nothing")
  func otherCountries() {
    #expect(!differ(group(("m", 500, nil)), group(("m", 500, 9.09))))
    #expect(!differ(group(("m", 1_000_000, nil)), group(("m", 1_000_000, nil))))
  }

  @Test("A product has a price where nine of ten charges are at it, however users are divided")
  func onePrice() {
    func prices(_ counts: [(micros: Int64, charges: Int)]) -> ProductPrices {
      var prices = ProductPrices()
      for (micros, charges) in counts {
        for _ in 0..<charges { prices.add(ProductPrices.Price(currency: 1, micros: micros)) }
      }
      return prices
    }
    #expect(prices([(9_990_000, 90), (4_990_000, 10)]).price != nil)
    #expect(prices([(9_990_000, 89), (4_990_000, 11)]).price == nil)
    #expect(prices([(9_990_000, 5)]).price == prices([(9_990_000, 50), (1, 5)]).price)
    #expect(prices([(9_990_000, 5)]).price != prices([(9_980_000, 5)]).price)
    let many = (1...300).map { (micros: Int64($0), charges: 1) }
    #expect(prices(many + [(9_990_000, 9000)]).price == nil)
    // Of two halves with few prices each the whole has many.
    var half = prices(Array(many[..<150]) + [(9_990_000, 9000)])
    half.merge(prices(Array(many[150...])))
    #expect(half.price == nil)
  }

  @Test("Other products differ, also where a few old clients sell the others'; another mix of the same does not")
  func otherProducts() {
    #expect(differ(group(("m", 100, 9.99)), group(("n", 130, 6.99))))
    #expect(differ(group(("m", 300, 9.99), ("n", 9, 6.99)), group(("n", 400, 6.99), ("m", 12, 9.99))))
    #expect(!differ(group(("m", 300, 9.99), ("y", 100, 59)), group(("m", 100, 9.99), ("y", 300, 59))))
    #expect(!differ(group(("m", 300, 9.99), ("n", 4, 6.99)), group(("m", 300, 9.99))))
    // Another product was selected beforehand.
    #expect(!differ(group(("w", 75, 6.95), ("m", 14, 19.99)), group(("w", 25, 6.95), ("m", 113, 19.99))))
  }

  @Test("Groups that sold nothing tell nothing")
  func nothingSold() {
    #expect(!differ(group(), group(("m", 500, 9.99))))
    #expect(!differ(group(), group()))
  }
}
