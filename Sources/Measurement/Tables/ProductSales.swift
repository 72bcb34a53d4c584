import Domain

/// What a group's users bought of one product.
package struct ProductSales: Sendable {
  package var product: Identifier
  package var kind: ProductKind
  package var sums: Sums

  package struct Sums: Sendable, Codable {
    package var buyers = 0
    /// Users whose first charge it was.
    package var firstBuyers = 0
    package var charges = 0
    /// Charges of which a refund stands at the cut-off, in full or in part.
    package var refundedCharges = 0
    /// In micros of the reporting currency.
    package var gross: Int128 = 0
    package var net: Int128 = 0
    package var proceeds: Int128 = 0

    package init() {}

    package mutating func merge(_ other: Sums) {
      buyers += other.buyers
      firstBuyers += other.firstBuyers
      charges += other.charges
      refundedCharges += other.refundedCharges
      gross += other.gross
      net += other.net
      proceeds += other.proceeds
    }
  }

  package init(product: Identifier, kind: ProductKind, sums: Sums) {
    self.product = product
    self.kind = kind
    self.sums = sums
  }
}

/// The one price of a product, by what stands for it.
package struct ProductPrice: Sendable, Hashable {
  package var product: Identifier
  /// Alike for the same amount and currency.
  package var price: Int64

  package init(product: Identifier, price: Int64) {
    self.product = product
    self.price = price
  }
}

/// What a group's users bought, of charges whose attribute has one value.
package struct AttributeSales: Sendable {
  package var attribute: Identifier
  package var value: Identifier
  package var sums: ProductSales.Sums

  package init(attribute: Identifier, value: Identifier, sums: ProductSales.Sums) {
    self.attribute = attribute
    self.value = value
    self.sums = sums
  }
}
