import Domain

/// What a group's users paid, by block of users and product, under the products' names.
package struct GroupPayments: Sendable {
  /// By number; only blocks that have users of the group.
  package var blocks: [Block] = []
  /// By product and kind.
  package var products: [Product] = []

  package init() {}

  package struct Block: Sendable {
    package var number: Int
    package var users: Int
    package var payers: Int

    package init(number: Int, users: Int, payers: Int) {
      self.number = number
      self.users = users
      self.payers = payers
    }
  }

  /// A product as the group's users bought it.
  package struct Product: Sendable {
    package var id: Identifier
    package var kind: ProductKind
    /// How long a charge gives access; nil where no table tells.
    package var period: Period?
    package var tier: Identifier?
    /// The part of its price that is left after tax and commission, as far as the products table tells them.
    package var keptShare: Double
    /// By block.
    package var sums: [InBlock]

    package init(
      id: Identifier, kind: ProductKind, period: Period? = nil, tier: Identifier? = nil, keptShare: Double = 1,
      sums: [Int: PaymentTally.Sums]
    ) {
      self.id = id
      self.kind = kind
      self.period = period
      self.tier = tier
      self.keptShare = keptShare
      self.sums = sums.map { InBlock(number: $0, sums: $1) }.sorted { $0.number < $1.number }
    }

    /// Of all blocks together.
    package var all: PaymentTally.Sums { sums.reduce(into: PaymentTally.Sums()) { $0.merge($1.sums) } }
  }

  /// What one block's users paid for a product.
  package struct InBlock: Sendable {
    package var number: Int
    package var sums: PaymentTally.Sums
  }

  package var users: Int { blocks.reduce(0) { $0 + $1.users } }
  package var payers: Int { blocks.reduce(0) { $0 + $1.payers } }
}

extension GroupPayments {
  init(_ tally: PaymentTally, facts: ProductFacts) {
    blocks = tally.blocks.filter { $0.users > 0 }
      .map { Block(number: $0.number, users: $0.users, payers: $0.payers) }
      .sorted { $0.number < $1.number }
    var sums: [ProductTally.Key: [Int: PaymentTally.Sums]] = [:]
    for block in tally.blocks {
      for (key, own) in block.products.all { sums[key, default: [:]][block.number] = own }
    }
    products = sums.map { key, sums in
      let number = Int(key.product)
      return Product(
        id: facts.ids[number], kind: key.kind, period: facts.periods[number], tier: facts.tiers[number],
        keptShare: facts.keptShares[number], sums: sums)
    }
    .sorted { ($0.id, $0.kind.rawValue) < ($1.id, $1.kind.rawValue) }
  }
}
