import Analysis
import Measurement

extension ResultTable {
  /// `display_prices.csv`: charges that were not at the price the group's paywall displays (the catalog's
  /// `fallback_display_price`), by product.
  ///
  /// Only charges in the displayed price's currency are `compared`; `example` is the smallest that differs.
  static var displayPrices: ResultTable {
    ResultTable(
      "display_prices", "Charges that were not at the price the group's paywall displays, by product.",
      of: \.displayPrices,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .key("product_id", "the product, as the store names it", \.prices.product),
        .money("display_price", "the price the catalog displays") { Int128($0.prices.displayed.micros) },
        .text("currency", "the displayed price's currency", \.prices.displayed.currency.text),
        .integer("charges", "charges of the product", \.prices.counts.charges),
        .integer("compared", "those of them in the displayed price's currency", \.prices.counts.compared),
        .integer("differing", "those of them at another price", \.prices.counts.differing),
        .money("example", "the smallest price that differs") { $0.prices.counts.example.map { Int128($0) } },
      ])
  }
}
