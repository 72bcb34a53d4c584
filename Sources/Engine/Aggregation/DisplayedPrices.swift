import Domain

extension Catalog {
  /// The prices that each group displays, by numbers; only of products the run has met, and where the currency shows.
  func displayedPrices(
    names: EventNames, facts: ProductFacts, reporting: Currency
  ) -> DisplayedPrices {
    let prices: [GroupKey: [UInt32: CurrencyAmount]] = byGroup(names: names, facts: facts) { sold, number in
      let amounts = sold.compactMap { product -> (UInt32, CurrencyAmount)? in
        guard let price = product.displayPrice.flatMap({ DisplayPrice.amount($0, reporting: reporting) }),
          let product = number[product.id]
        else { return nil }
        return (product, price)
      }
      return Dictionary(amounts, uniquingKeysWith: { first, _ in first })
    }
    return DisplayedPrices(prices)
  }
}

/// The prices that groups display, found without a hash: every charge asks for its own.
struct DisplayedPrices: Sendable {
  private var groups = KeyNumbers<GroupKey>()
  /// By group, then by number of the product.
  private var prices: [CurrencyAmount?] = []
  /// Products of which a price is looked for.
  private let width: Int

  init(_ byGroup: [GroupKey: [UInt32: CurrencyAmount]]) {
    width = byGroup.values.flatMap(\.keys).max().map { Int($0) + 1 } ?? 0
    for (group, byProduct) in byGroup {
      _ = groups.add(group)
      prices += (0..<UInt32(width)).map { byProduct[$0] }
    }
  }

  /// The group's number for `price`; nil where it displays nothing.
  func number(of group: GroupKey) -> Int? { groups.find(group) }

  /// What a group displays as a product's price; nil where it displays none.
  func price(of product: UInt32, inGroup number: Int) -> CurrencyAmount? {
    product < width ? prices[number * width + Int(product)] : nil
  }

  /// The prices that a group displays, by product.
  func prices(of group: GroupKey) -> [UInt32: CurrencyAmount] {
    guard let number = number(of: group) else { return [:] }
    return (0..<UInt32(width)).reduce(into: [:]) { $0[$1] = price(of: $1, inGroup: number) }
  }
}
