import Domain

extension Catalog {
  /// The prices that each group displays, by numbers; only of products the run has met, and where the currency shows.
  func displayedPrices(
    names: EventNames, facts: ProductFacts, reporting: Currency
  ) -> [GroupKey: [UInt32: DisplayPrice.Amount]] {
    byGroup(names: names, facts: facts) { sold, number in
      let amounts = sold.compactMap { product -> (UInt32, DisplayPrice.Amount)? in
        guard let price = product.displayPrice.flatMap({ DisplayPrice.amount($0, reporting: reporting) }),
          let product = number[product.id]
        else { return nil }
        return (product, price)
      }
      return Dictionary(amounts, uniquingKeysWith: { first, _ in first })
    }
  }
}
