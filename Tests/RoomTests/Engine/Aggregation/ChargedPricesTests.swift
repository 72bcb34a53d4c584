import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("What users were charged, held against the other groups'")
struct ChargedPricesTests {
  /// A group of which each product was charged so many times at so many units.
  private func group(_ sales: (product: Identifier, charges: Int, price: Double)...) -> ChargedPrices {
    ChargedPrices(
      sales.map { sale in
        var sums = ProductSales.Sums()
        sums.charges = sale.charges
        sums.gross = Int128(Double(sale.charges) * sale.price * 1_000_000)
        return ProductSales(product: sale.product, kind: .autoRenewable, sums: sums)
      })
  }

  private func differ(_ groups: ChargedPrices...) -> Bool { ChargedPrices.differ(among: groups) }

  @Test("The same product at another price differs, as soon as there are enough charges")
  func otherPrice() {
    #expect(differ(group(("m", 500, 9.99)), group(("m", 700, 6.99))))
    #expect(differ(group(("m", 40_000, 9.99)), group(("m", 40_000, 9.49))))
    #expect(!differ(group(("m", 15, 9.99)), group(("m", 15, 6.99))))
  }

  @Test("Averages that countries and currencies explain do not differ")
  func otherCountries() {
    #expect(!differ(group(("m", 500, 9.99)), group(("m", 500, 9.09))))
    #expect(!differ(group(("m", 1_000_000, 9.99)), group(("m", 1_000_000, 9.85))))
    #expect(!differ(group(("m", 500, 0)), group(("m", 400, 0))))
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

  @Test("Any two of many groups are enough; groups that sold nothing tell nothing")
  func manyGroups() {
    #expect(differ(group(("m", 500, 9.99)), group(), group(("m", 500, 9.99)), group(("m", 500, 4.99))))
    #expect(!differ(group(), group(("m", 500, 9.99)), group()))
    #expect(!differ())
  }
}
