import Domain

/// What a group's users paid, by block of users and product, under the products' names.
package struct GroupPayments: Sendable {
  /// By number; only blocks that have users of the group.
  package var blocks: [Block] = []
  /// By product and kind.
  package var products: [Product] = []

  package init() {}

  /// What some users paid for one product; charges of 0 count for nothing.
  package struct Sums: Sendable, Codable, Equatable {
    /// Users with a charge of it.
    package var buyers = 0
    package var charges = 0
    /// In micros of the reporting currency.
    package var gross: Int128 = 0
    /// What was taken back, at the cut-off.
    package var refunds: Int128 = 0
    /// Users whose first charge it was, and what those charges came to, in micros and in their squares.
    package var firsts = 0
    package var firstGross: Int128 = 0
    /// Held at its largest value, which says that nobody knows, where it has left 128 bits.
    package var firstSquares: Int128 = 0

    package init() {}

    /// Adds squares of micros.
    package mutating func addSquares(_ squares: Int128) {
      let (sum, hasOverflowed) = firstSquares.addingReportingOverflow(squares)
      firstSquares = hasOverflowed ? .max : sum
    }

    package mutating func merge(_ other: Sums) {
      buyers += other.buyers
      charges += other.charges
      gross += other.gross
      refunds += other.refunds
      firsts += other.firsts
      firstGross += other.firstGross
      addSquares(other.firstSquares)
    }
  }

  /// Some of the users.
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
    package var retainedShare: Double
    /// By block.
    package var sums: [InBlock]

    package init(
      id: Identifier, kind: ProductKind, period: Period? = nil, tier: Identifier? = nil, retainedShare: Double = 1,
      sums: [Int: GroupPayments.Sums]
    ) {
      self.id = id
      self.kind = kind
      self.period = period
      self.tier = tier
      self.retainedShare = retainedShare
      self.sums = sums.map { InBlock(number: $0, sums: $1) }.sorted { $0.number < $1.number }
    }

    /// Of all blocks together.
    package var all: GroupPayments.Sums { sums.reduce(into: GroupPayments.Sums()) { $0.merge($1.sums) } }
  }

  /// What one block's users paid for a product.
  package struct InBlock: Sendable {
    package var number: Int
    package var sums: GroupPayments.Sums
  }

  package var users: Int { blocks.reduce(0) { $0 + $1.users } }
  package var payers: Int { blocks.reduce(0) { $0 + $1.payers } }
}
