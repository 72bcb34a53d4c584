import Analysis
import Measurement

extension ResultTable {
  /// `offers.csv`: the products that each group's paywall shows, as the catalog has them.
  ///
  /// Of stored responses it is what a group was served most often.
  static var offers: ResultTable {
    ResultTable(
      "offers",
      "The products that each group's paywall shows, as the catalog has them; empty is what it does not tell.",
      of: \.offers,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .keyInteger("position", "the product's place on the paywall", \.product.position),
        .key("product_id", "the product, as the store names it", \.product.id),
        .text("display_price", "the price as the paywall writes it", \.product.displayPrice),
        .text("period", "what a charge buys, ISO 8601 (P1W): the products table's, else as the type tells it") {
          $0.product.period?.iso8601
        },
        .flag("is_default", "whether it is selected before the user does anything", \.product.isDefault),
        .text("badge", "the badge on it", \.product.badge),
        .text("subtitle", "the line under it", \.product.subtitle),
        .text("type", "the catalog's word for what it is: weekly", \.product.type),
      ])
  }
}
