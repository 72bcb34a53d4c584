import Analysis
import Measurement

extension ResultTable {
  /// `products.csv`: what each group's users bought between their assignment and the cut-off, by product.
  ///
  /// `first_buyers` (a column of ours, the last) are users whose first charge it was.
  static var products: ResultTable {
    ResultTable(
      "products", "What each group's users bought between their assignment and the cut-off, by product.",
      of: \.products,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .key("product_id", "the product, as the store names it", \.sales.product),
        .keyText("kind", "auto_renewable, non_renewing, consumable or non_consumable", \.sales.kind.rawValue),
        .integer("buyers", "users with a charge of it", \.sales.sums.buyers),
        .integer("charges", "charges, renewals too", \.sales.sums.charges),
        .integer("refunded_charges", "charges of which money was taken back", \.sales.sums.refundedCharges),
        .currency,
        .money("gross", "money charged", \.sales.sums.gross),
        .money("net", "money charged less refunds", \.sales.sums.net),
        .money("proceeds", "net less tax and the store's commission", \.sales.sums.proceeds),
        .integer("first_buyers", "users whose first charge it was", \.sales.sums.firstBuyers),
      ])
  }
}
