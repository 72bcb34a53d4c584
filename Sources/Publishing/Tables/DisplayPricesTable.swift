import Analysis
import Engine

/// `display_prices.csv`: charges that were not at the price the group's paywall displays (the catalog's
/// `fallback_display_price`), by product.
///
/// Only charges in the displayed price's currency are `compared`; `example` is the smallest that differs.
enum DisplayPricesTable {
  static func table(of night: NightResult) -> Table {
    Table("display_prices", of: night.displayPrices, columns: columns)
  }

  private static var columns: [TableColumn<DisplayPriceRow>] {
    [
      .key("offering_id", \.offering),
      .key("test_group_id", \.group),
      .key("product_id", \.prices.product),
      .exact("display_price") { .micros(Int128($0.prices.displayed.micros)) },
      .text("currency", \.prices.displayed.currency.text),
      .integer("charges", \.prices.counts.charges),
      .integer("compared", \.prices.counts.compared),
      .integer("differing", \.prices.counts.differing),
      .exact("example") { $0.prices.counts.example.map { .micros(Int128($0)) } ?? .empty },
    ]
  }
}
