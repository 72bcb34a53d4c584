import Domain
import Measurement

/// What a group's users bought between their assignment and the cut-off, by product.
package struct ProductTally: Tally {
  package private(set) var sums = SumsByKey<Key, ProductSales.Sums>()
  /// What the user at hand has bought.
  private var seen = KeySet()

  private enum CodingKeys: CodingKey { case sums }

  static let parts = [TallyPart<Self>("products", \.sums) { $1.knows(product: $0.product) }]

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

  package mutating func add(_ history: UserHistory, from start: Int64) {
    let isAlone = history.charges.count == 1
    var isFirst = true
    seen.removeAll()
    for (number, charge) in history.charges.enumerated() where charge.time >= start {
      let key = Key(product: charge.product, kind: charge.kind)
      let isNew = isAlone || seen.insert(key.code, number: number) == number
      sums.update(key, new: ProductSales.Sums()) { $0.add(charge, isNew: isNew, isFirst: isFirst) }
      isFirst = false
    }
  }

  /// By product, then by kind.
  func named(_ names: GroupNames) -> [ProductSales] {
    sums.all
      .map { ProductSales(product: names.facts.ids[Int($0.key.product)], kind: $0.key.kind, sums: $0.sums) }
      .sorted { ($0.product, $0.kind.rawValue) < ($1.product, $1.kind.rawValue) }
  }
}

extension ProductSales.Sums {
  mutating func add(_ charge: UserHistory.Charge, isNew: Bool, isFirst: Bool) {
    if isNew { buyers += 1 }
    if isFirst { firstBuyers += 1 }
    charges += 1
    if charge.refunded > 0 { refundedCharges += 1 }
    gross += Int128(charge.gross)
    net += Int128(charge.net)
    proceeds += Int128(charge.proceeds)
  }
}
