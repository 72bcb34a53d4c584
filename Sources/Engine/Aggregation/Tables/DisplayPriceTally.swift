import Domain
import Measurement

/// How many of a group's charges were not at the price that its paywall displays.
///
/// Only amounts in the displayed price's currency are compared: what a price is worth elsewhere nobody wrote down.
package struct DisplayPriceTally: Sendable, Codable {
  /// By product.
  package private(set) var counts = SumsByKey<UInt32, DisplayedCharges.Counts>()

  mutating func add(_ user: UserHistory, of group: GroupKey, from start: Int64, _ displayed: DisplayedPrices) {
    guard let group = displayed.number(of: group) else { return }
    for charge in user.charges where charge.time >= start {
      guard let price = displayed.price(of: charge.product, inGroup: group) else { continue }
      counts.update(charge.product, new: DisplayedCharges.Counts()) {
        $0.add(charge.currency == price.currency ? charge.amountMicros : nil, displayed: price.micros)
      }
    }
  }

  package mutating func merge(_ other: DisplayPriceTally) {
    for (product, theirs) in other.counts.all {
      counts.update(product, new: DisplayedCharges.Counts()) { $0.merge(theirs) }
    }
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

  fileprivate mutating func merge(_ other: Self) {
    charges += other.charges
    compared += other.compared
    differing += other.differing
    example = [example, other.example].compactMap(\.self).min()
  }
}
