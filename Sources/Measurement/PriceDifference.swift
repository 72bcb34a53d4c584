/// How it is known that an offering's groups sell different products, or at different prices.
package enum PriceDifference: Sendable {
  /// The catalog says so.
  case displayed
  /// The catalog does not tell prices, and what users were charged differs more than chance explains.
  case charged
}
