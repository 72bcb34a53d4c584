import Domain

/// What a group's users bought between their assignment and the cut-off, by product.
package struct ProductTally: Sendable, Codable {
  package private(set) var sums = SumsByKey<Key, Sums>()
  /// What the user at hand has bought.
  private var seen = KeySet()

  private enum CodingKeys: CodingKey { case sums }

  /// A product by number; of one that no table knows, events may tell different kinds.
  package struct Key: Sendable, Codable, Hashable {
    package var product: UInt32
    package var kind: ProductKind

    /// Both in one number.
    fileprivate var code: UInt64 {
      let kind: UInt64 =
        switch kind {
        case .autoRenewable: 0
        case .nonRenewing: 1
        case .consumable: 2
        case .nonConsumable: 3
        }
      return UInt64(product) << 8 | kind
    }
  }

  package struct Sums: Sendable, Codable {
    package var buyers = 0
    /// Users whose first charge it was.
    package var firstBuyers = 0
    package var charges = 0
    /// Charges of which a refund stands at the cut-off, in full or in part.
    package var refundedCharges = 0
    /// In micros of the reporting currency.
    package var gross: Int128 = 0
    package var net: Int128 = 0
    package var proceeds: Int128 = 0

    package mutating func add(_ charge: UserHistory.Charge, isNew: Bool, isFirst: Bool) {
      if isNew { buyers += 1 }
      if isFirst { firstBuyers += 1 }
      charges += 1
      if charge.refunded > 0 { refundedCharges += 1 }
      gross += Int128(charge.gross)
      net += Int128(charge.net)
      proceeds += Int128(charge.proceeds)
    }

    package mutating func merge(_ other: Sums) {
      buyers += other.buyers
      firstBuyers += other.firstBuyers
      charges += other.charges
      refundedCharges += other.refundedCharges
      gross += other.gross
      net += other.net
      proceeds += other.proceeds
    }
  }

  package mutating func add(_ history: UserHistory, from start: Int64) {
    let isAlone = history.charges.count == 1
    var isFirst = true
    seen.removeAll()
    for (number, charge) in history.charges.enumerated() where charge.time >= start {
      let key = Key(product: charge.product, kind: charge.kind)
      let isNew = isAlone || seen.insert(key.code, number: number) == number
      sums.update(key, new: Sums()) { $0.add(charge, isNew: isNew, isFirst: isFirst) }
      isFirst = false
    }
  }

  package mutating func merge(_ other: ProductTally) {
    for (key, theirs) in other.sums.all { sums.update(key, new: Sums()) { $0.merge(theirs) } }
  }
}

/// What a group's users bought of one product.
package struct ProductSales: Sendable {
  package var product: Identifier
  package var kind: ProductKind
  package var sums: ProductTally.Sums
}
