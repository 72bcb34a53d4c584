import Analysis
import Engine

extension ResultTable {
  /// `display_prices.csv`: charges that were not at the price the group's paywall displays (the catalog's
  /// `fallback_display_price`), by product.
  ///
  /// Only charges in the displayed price's currency are `compared`; `example` is the smallest that differs.
  static var displayPrices: ResultTable {
    ResultTable(
      "display_prices", of: \.displayPrices,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .key("product_id", \.prices.product),
        .money("display_price") { Int128($0.prices.displayed.micros) },
        .text("currency", \.prices.displayed.currency.text),
        .integer("charges", \.prices.counts.charges),
        .integer("compared", \.prices.counts.compared),
        .integer("differing", \.prices.counts.differing),
        .money("example") { $0.prices.counts.example.map { Int128($0) } },
      ])
  }
}
