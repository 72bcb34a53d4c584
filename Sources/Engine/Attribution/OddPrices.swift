/// Charges a thousand times, or a thousandth of, what the catalog says: thousandths taken for units, or units
/// for thousandths.
package struct OddPrices: Sendable {
  /// By product.
  package private(set) var found: [UInt32: Found] = [:]

  package struct Found: Sendable {
    package var charges = 0
    /// The smallest such charge, in micros of `currency`; ties by currency.
    package var example: (micros: Int64, currency: UInt16)

    package mutating func merge(_ other: Found) {
      charges += other.charges
      if other.example < example { example = other.example }
    }
  }

  /// Looks at a charge of a product the catalog prices at `expected`.
  mutating func look(at event: ChargeRecord, expected: Int64) {
    guard Self.isThousandfold(event.amountMicros, expected) || Self.isThousandfold(expected, event.amountMicros) else {
      return
    }
    add(event.head.product, Found(charges: 1, example: (event.amountMicros, event.currency.code)))
  }

  package mutating func merge(_ other: OddPrices) {
    for (product, found) in other.found { add(product, found) }
  }

  private mutating func add(_ product: UInt32, _ new: Found) {
    if found[product] == nil { found[product] = new } else { found[product]!.merge(new) }
  }

  /// Within a percent: taxes and rounding move a price a little.
  private static func isThousandfold(_ large: Int64, _ small: Int64) -> Bool {
    guard small > 0 else { return false }
    let difference = Int128(large) - Int128(small) * 1000
    return difference.magnitude <= Int128(small).magnitude * 10
  }
}
