import Domain
import Jobs
import Measurement

/// What a group's users were charged for each product, between their assignment and the cut-off: how often each price.
package struct ChargedPriceTally: Tally {
  private(set) var prices = SumsByKey<UInt32, ProductPrices>()

  static let parts = [TallyPart<Self>("prices", \.prices) { $1.knows(product: $0) }]

  mutating func add(_ history: UserHistory, from start: Int64) {
    for charge in history.charges where charge.time >= start && charge.amountMicros > 0 {
      let price = ProductPrices.Price(currency: UInt16(charge.currency.code), micros: charge.amountMicros)
      prices.update(charge.product, new: ProductPrices()) { $0.add(price) }
    }
  }

  /// Of each product its one price; products that have none are left out.
  func prices(_ names: GroupNames) -> [ProductPrice] {
    prices.all.compactMap { product, counts in
      counts.price.map { ProductPrice(product: names.facts.ids[Int(product)], price: $0) }
    }.sorted { $0.product < $1.product }
  }
}

/// How often a product was charged at each price.
struct ProductPrices: PlainSums {
  /// An amount as it was charged.
  struct Price: Hashable, Codable, Sendable {
    var currency: UInt16
    var micros: Int64
  }

  private(set) var counts = SumsByKey<Price, Int>()
  private(set) var charges = 0
  /// There are more prices than a product has that has one: which they are is not counted any more.
  private(set) var areMany = false

  /// So many prices a product with one price may have beside it.
  private static let most = 256
  /// The part of all charges that are at the price of a product.
  private static let alike = 0.9

  mutating func add(_ price: Price) {
    charges += 1
    guard !areMany else { return }
    counts.update(price, new: 0) { $0 += 1 }
    bound()
  }

  mutating func merge(_ other: ProductPrices) {
    charges += other.charges
    areMany = areMany || other.areMany
    guard !areMany else { return counts = SumsByKey() }
    counts.merge(other.counts, +=)
    bound()
  }

  /// However users are divided, it is the same in the end: prices are many where all of them together are.
  private mutating func bound() {
    guard counts.count > Self.most else { return }
    (areMany, counts) = (true, SumsByKey())
  }

  /// The price of nine tenths of its charges, as a number that is the same for the same amount and currency; nil where there
  /// is none.
  var price: Int64? {
    guard let most = counts.all.max(by: { $0.sums < $1.sums }), Double(most.sums) >= Self.alike * Double(charges) else {
      return nil
    }
    return most.key.micros &* 1024 &+ Int64(most.key.currency)
  }
}
