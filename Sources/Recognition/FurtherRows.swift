import Engine
import Jobs

/// Rows of an order behind its first one, which alone has what the order cost: Shopify's export of orders.
struct FurtherRows {
  /// What leaves such rows out.
  let rule: SkipRule
  let remark: Remark

  /// Nil where a row without a price names no order that another row tells the price of.
  init?(_ price: String, _ columns: ColumnGuess) {
    let sample = columns.sample
    let prices = sample.column(price)
    let without = prices.indices.filter { (prices[$0] ?? "").isEmpty }
    guard !without.isEmpty, without.count < prices.count else { return nil }
    let order = sample.names.first { name in
      guard ColumnRole.transactionID.names.contains(ColumnRole.plain(name)) else { return false }
      let orders = sample.column(name)
      let priced = Set(prices.indices.filter { !(prices[$0] ?? "").isEmpty }.compactMap { orders[$0] })
      return without.allSatisfy { row in orders[row].map { !$0.isEmpty && priced.contains($0) } ?? false }
    }
    guard let order else { return nil }
    rule = SkipRule(column: price, matches: [.nothing])
    remark = Remark(
      "skip_where", "rows without \"\(price)\"",
      Guess(price, .certain, "another row of the same \"\(order)\" has it"))
  }
}
