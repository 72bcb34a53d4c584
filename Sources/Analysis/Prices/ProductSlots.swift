import Domain
import Measurement

/// Products that take each other's place on the paywalls of two groups: what is sold dearer in one of them often has an
/// id of its own there.
///
/// A product that both groups sell is itself. Those that only one of them sells (their share of its charges is more than
/// five times that of the other's: old clients are few) stand for each other where they are of one kind, period and tier
/// and each group has as many of them, by rising price. Any other product stands alone, and so does what no other
/// matches.
struct ProductSlots {
  /// The products of each slot, most money first; those beyond the largest are together the last one.
  let slots: [Slot]

  struct Slot {
    /// The product, `weekly_799 → weekly_999`, or `(other)`.
    var name: Identifier
    var products: Set<Identifier>
  }

  /// More products nobody reads, and a log whose product ids are rubbish has millions.
  private static let mostSlots = 20
  /// So much larger is the share of a product that only one group sells.
  private static let ownShare = 5.0

  init(_ baseline: GroupPayments, _ group: GroupPayments) {
    let (own, others) = (Sold.all(in: baseline), Sold.all(in: group))
    let chargesOwn = own.values.reduce(0) { $0 + $1.charges }
    let chargesOthers = others.values.reduce(0) { $0 + $1.charges }
    func isOwn(_ id: Identifier, _ mine: [Identifier: Sold], _ theirs: [Identifier: Sold], _ m: Int, _ n: Int) -> Bool {
      let (share, other) = (
        Double(mine[id]?.charges ?? 0) / Double(max(m, 1)), Double(theirs[id]?.charges ?? 0) / Double(max(n, 1))
      )
      return share > Self.ownShare * other
    }
    let ids = Set(own.keys).union(others.keys).sorted()
    let before = ids.filter { isOwn($0, own, others, chargesOwn, chargesOthers) }.compactMap { own[$0] }
    let after = ids.filter { isOwn($0, others, own, chargesOthers, chargesOwn) }.compactMap { others[$0] }
    let pairs = Self.pairs(before, after)
    let paired = Set(pairs.flatMap { [$0.0, $0.1] })
    let slots =
      pairs.map { Slot(name: Identifier("\($0.0.text) → \($0.1.text)"), products: [$0.0, $0.1]) }
      + ids.filter { !paired.contains($0) }.map { Slot(name: $0, products: [$0]) }
    func gross(_ slot: Slot) -> Int128 {
      slot.products.reduce(0) { $0 + (own[$1]?.gross ?? 0) + (others[$1]?.gross ?? 0) }
    }
    let ordered = slots.map { ($0, gross($0)) }.sorted { ($1.1, $0.0.name) < ($0.1, $1.0.name) }.map(\.0)
    let rest = ordered.dropFirst(Self.mostSlots)
    self.slots =
      ordered.prefix(Self.mostSlots)
      + (rest.isEmpty ? [] : [Slot(name: "(other)", products: rest.reduce(into: []) { $0.formUnion($1.products) })])
  }

  /// The products of two groups that stand for each other.
  private static func pairs(_ before: [Sold], _ after: [Sold]) -> [(Identifier, Identifier)] {
    let old = Dictionary(grouping: before, by: \.sort)
    let new = Dictionary(grouping: after, by: \.sort)
    return old.flatMap { sort, products -> [(Identifier, Identifier)] in
      guard let others = new[sort], others.count == products.count else { return [] }
      return zip(products.sorted(by: Sold.isCheaper), others.sorted(by: Sold.isCheaper)).map { ($0.id, $1.id) }
    }
  }

  /// One product in one group.
  private struct Sold {
    let id: Identifier
    let sort: Sort
    var charges = 0
    var gross: Int128 = 0

    struct Sort: Hashable {
      var kind: ProductKind
      var period: Period?
      var tier: Identifier?
    }

    static func all(in group: GroupPayments) -> [Identifier: Sold] {
      group.products.reduce(into: [:]) { found, product in
        let sort = Sort(kind: product.kind, period: product.period, tier: product.tier)
        let sums = product.all
        found[product.id, default: Sold(id: product.id, sort: sort)].charges += sums.charges
        found[product.id]?.gross += sums.gross
      }
    }

    static func isCheaper(_ left: Sold, _ right: Sold) -> Bool {
      let (mine, theirs) = (left.gross * Int128(right.charges), right.gross * Int128(left.charges))
      return mine == theirs ? left.id < right.id : mine < theirs
    }
  }
}
