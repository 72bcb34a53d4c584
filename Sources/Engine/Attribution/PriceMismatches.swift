/// Charges a thousand times, or a thousandth of, what the catalog says: thousandths taken for units, or units
/// for thousandths.
package struct PriceMismatches: Tally {
  /// By product.
  package private(set) var found: [UInt32: Found] = [:]

  static let parts = [TallyPart<Self>("products", \.found) { $1.knows(product: $0) }]

  package struct Found: Tally {
    package var charges = 0
    /// The smallest such charge; ties by currency.
    package var example: Example

    static let parts: [TallyPart<Self>] = [TallyPart(\.charges), TallyPart(extreme: \.example, min)]
  }

  /// What was charged, in micros of the currency.
  package struct Example: Sendable, Codable, Comparable {
    package var micros: Int64
    /// Its code.
    package var currency: UInt16

    package static func < (left: Example, right: Example) -> Bool {
      (left.micros, left.currency) < (right.micros, right.currency)
    }
  }

  /// Looks at a charge of a product the catalog prices at `expected`.
  mutating func look(at event: PurchaseEvent, expected: Int64) {
    guard Self.isThousandfold(event.amount, expected) || Self.isThousandfold(expected, event.amount) else {
      return
    }
    let example = Example(micros: event.amount, currency: event.currency.code)
    add(event.product, Found(charges: 1, example: example))
  }

  private mutating func add(_ product: UInt32, _ new: Found) {
    if found[product] == nil { found[product] = new } else { found[product]!.merge(new) }
  }

  /// Within a percent: taxes and rounding move a price a little.
  private static func isThousandfold(_ large: Int64, _ small: Int64) -> Bool {
    // Far below a hundredfold, as nearly every price is of the one that the catalog tells.
    guard small > 0, large / 100 >= small else { return false }
    let difference = Int128(large) - Int128(small) * 1000
    return difference.magnitude <= Int128(small).magnitude * 10
  }
}
