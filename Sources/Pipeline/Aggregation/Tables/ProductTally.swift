/// What a group's users bought between their assignment and T, by product.
struct ProductTally: Sendable {
  private(set) var sums: [Key: Sums] = [:]

  /// A product by number; of one that no table knows, events may tell different kinds.
  struct Key: Sendable, Hashable {
    var product: UInt32
    var kind: ProductKind

    /// Both in one number.
    fileprivate var code: UInt64 { UInt64(product) << 8 | UInt64(ProductKind.allCases.firstIndex(of: kind) ?? 0) }
  }

  struct Sums: Sendable {
    var buyers = 0
    /// Users whose first charge it was.
    var firstBuyers = 0
    var charges = 0
    /// Charges of which a refund stands at T, in full or in part.
    var refundedCharges = 0
    /// In micros of the reporting currency.
    var gross: Int128 = 0
    var net: Int128 = 0
    var proceeds: Int128 = 0

    mutating func add(_ charge: UserHistory.Charge, isNew: Bool, isFirst: Bool) {
      if isNew { buyers += 1 }
      if isFirst { firstBuyers += 1 }
      charges += 1
      if charge.refunded > 0 { refundedCharges += 1 }
      gross += Int128(charge.gross)
      net += Int128(charge.net)
      proceeds += Int128(charge.proceeds)
    }

    mutating func merge(_ other: Sums) {
      buyers += other.buyers
      firstBuyers += other.firstBuyers
      charges += other.charges
      refundedCharges += other.refundedCharges
      gross += other.gross
      net += other.net
      proceeds += other.proceeds
    }
  }

  mutating func add(_ history: UserHistory, from start: Int64) {
    let isAlone = history.charges.count == 1
    var isFirst = true
    var seen = KeySet()
    for (number, charge) in history.charges.enumerated() where charge.time >= start {
      let key = Key(product: charge.product, kind: charge.kind)
      let isNew = isAlone || seen.insert(key.code, number: number) == number
      sums[key, default: Sums()].add(charge, isNew: isNew, isFirst: isFirst)
      isFirst = false
    }
  }

  mutating func merge(_ other: ProductTally) {
    for (key, theirs) in other.sums { sums[key, default: Sums()].merge(theirs) }
  }
}
