import Engine

/// A price less the discount beside it, which is an amount, a share of the price or percent of it.
struct DiscountedPrice {
  /// What writes it as `total`.
  let change: RowChange
  /// Row by row.
  let amounts: [Double?]

  private static let percents: Set<String> = ["pct", "percent", "percentage", "rate", "perc", "prozent"]

  init(_ discount: String, from price: String, _ columns: ColumnGuess) {
    let (prices, discounts) = (columns.numbers(price), columns.numbers(discount))
    let isShare = discounts.allSatisfy { ($0 ?? 0).magnitude <= 1 } && prices.contains { ($0 ?? 0) > 2 }
    let isPercent = ColumnName(discount).holds(Self.percents) || discount.contains("%")
    let (sql, jq) = (RowChange.column(price), RowChange.member(price))
    let (off, member) = (RowChange.column(discount), RowChange.member(discount))
    let parts = isShare ? 1.0 : 100
    if isShare || isPercent {
      let by = isShare ? "" : " / 100.0"
      change = RowChange(
        sql: ["SELECT *, printf('%.2f', \(sql) * (1 - \(off)\(by))) AS total FROM t"],
        jq: ".total = \(jq) * (1 - \(member)\(by))")
      amounts = zip(prices, discounts).map { price, off in price.map { $0 * (1 - (off ?? 0) / parts) } }
    } else {
      change = RowChange(
        sql: ["SELECT *, printf('%.2f', \(sql) - \(off)) AS total FROM t"], jq: ".total = \(jq) - \(member)")
      amounts = zip(prices, discounts).map { price, off in price.map { $0 - (off ?? 0) } }
    }
  }
}
