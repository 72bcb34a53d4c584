import Domain

/// How many of a group's charges were not at the price that its paywall displays.
///
/// Only amounts in the displayed price's currency are compared: what a price is worth elsewhere nobody wrote down.
package struct DisplayPriceTally: Sendable {
  /// By product.
  package private(set) var counts: [UInt32: Counts] = [:]

  package struct Counts: Sendable, Equatable {
    package var charges = 0
    /// Charges in the currency of the displayed price.
    package var compared = 0
    package var differing = 0
    /// The smallest amount that differs, in micros.
    package var example: Int64?

    fileprivate mutating func merge(_ other: Counts) {
      charges += other.charges
      compared += other.compared
      differing += other.differing
      example = [example, other.example].compactMap(\.self).min()
    }
  }

  /// - Parameter displayed: the prices that the user's group displays, by product.
  package mutating func add(_ user: UserHistory, from start: Int64, _ displayed: [UInt32: DisplayPrice.Amount]) {
    for charge in user.charges where charge.time >= start {
      guard let price = displayed[charge.product] else { continue }
      var count = Counts(charges: 1)
      if charge.currency == price.currency {
        count.compared = 1
        if charge.amountMicros != price.micros { (count.differing, count.example) = (1, charge.amountMicros) }
      }
      counts[charge.product, default: Counts()].merge(count)
    }
  }

  package mutating func merge(_ other: DisplayPriceTally) {
    counts.merge(other.counts) { mine, theirs in
      var sum = mine
      sum.merge(theirs)
      return sum
    }
  }
}

/// A group's charges of one product held against the price it displays.
package struct DisplayedCharges: Sendable {
  package var product: Identifier
  package var displayed: DisplayPrice.Amount
  package var counts: DisplayPriceTally.Counts
}
