import Domain

/// A group's charges of one product held against the price it displays.
package struct DisplayedCharges: Sendable {
  package var product: Identifier
  package var displayed: CurrencyAmount
  package var counts: Counts

  package struct Counts: Sendable, Codable, Equatable {
    package var charges = 0
    /// Charges in the currency of the displayed price.
    package var compared = 0
    package var differing = 0
    /// The smallest amount that differs, in micros.
    package var example: Int64?

    package init(charges: Int = 0, compared: Int = 0, differing: Int = 0, example: Int64? = nil) {
      self.charges = charges
      self.compared = compared
      self.differing = differing
      self.example = example
    }
  }

  package init(product: Identifier, displayed: CurrencyAmount, counts: Counts) {
    self.product = product
    self.displayed = displayed
    self.counts = counts
  }
}
