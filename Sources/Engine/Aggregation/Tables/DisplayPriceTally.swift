import Domain
import Measurement

/// How many of a group's charges were not at the price that its paywall displays.
///
/// Only amounts in the displayed price's currency are compared: what a price is worth elsewhere nobody wrote down.
package struct DisplayPriceTally: Tally {
  /// By product.
  package private(set) var counts = SumsByKey<UInt32, DisplayedCharges.Counts>()

  static let parts = [TallyPart<Self>("products", \.counts) { $1.knows(product: $0) }]

  mutating func add(_ user: UserHistory, of group: GroupKey, from start: Int64, _ displayed: DisplayedPrices) {
    guard let group = displayed.number(of: group) else { return }
    for charge in user.charges where charge.time >= start {
      guard let price = displayed.price(of: charge.product, inGroup: group) else { continue }
      counts.update(charge.product, new: DisplayedCharges.Counts()) {
        $0.add(charge.currency == price.currency ? charge.amountMicros : nil, displayed: price.micros)
      }
    }
  }

  /// By product; of those alone that the group displays a price of.
  func named(_ names: GroupNames) -> [DisplayedCharges] {
    counts.all
      .compactMap { product, counts in
        names.displayed[product].map {
          DisplayedCharges(product: names.facts.ids[Int(product)], displayed: $0, counts: counts)
        }
      }
      .sorted { $0.product < $1.product }
  }
}

extension DisplayedCharges.Counts {
  /// Adds a charge of `amount` micros; nil where it is in another currency.
  fileprivate mutating func add(_ amount: Int64?, displayed: Int64) {
    charges += 1
    guard let amount else { return }
    compared += 1
    guard amount != displayed else { return }
    differing += 1
    example = min(example ?? amount, amount)
  }
}
