import Domain
import Measurement

extension GroupPayments {
  init(_ tally: PaymentTally, facts: ProductFacts) {
    self.init()
    blocks = tally.blocks.filter { $0.users > 0 }
      .map { Block(number: $0.number, users: $0.users, payers: $0.payers) }
      .sorted { $0.number < $1.number }
    var sums: [ProductTally.Key: [Int: GroupPayments.Sums]] = [:]
    for block in tally.blocks {
      for (key, own) in block.products.all { sums[key, default: [:]][block.number] = own }
    }
    products = sums.map { key, sums in
      let number = Int(key.product)
      return Product(
        id: facts.ids[number], kind: key.kind, period: facts.periods[number], tier: facts.tiers[number],
        retainedShare: facts.retainedShares[number], sums: sums)
    }
    .sorted { ($0.id, $0.kind.rawValue) < ($1.id, $1.kind.rawValue) }
  }
}
