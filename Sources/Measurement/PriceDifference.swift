import Domain

/// How it is known that an offering's groups sell different products, or at different prices.
package enum PriceDifference: Sendable {
  /// The catalog says so.
  case displayed
  /// The catalog does not tell prices, and what users were charged differs more than chance explains.
  case charged
}

/// A group that sells other products than the baseline, or at other prices.
package struct PricedApart: Sendable {
  package var group: Identifier
  package var difference: PriceDifference

  package init(group: Identifier, difference: PriceDifference) {
    self.group = group
    self.difference = difference
  }
}
