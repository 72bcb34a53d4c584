import Analysis
import Engine

extension ResultTable {
  /// `products.csv`: what each group's users bought between their assignment and the cut-off, by product.
  ///
  /// `first_buyers` (a column of ours, the last) are users whose first charge it was.
  static var products: ResultTable {
    ResultTable(
      "products", of: \.products,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .key("product_id", \.sales.product),
        .keyText("kind", \.sales.kind.rawValue),
        .integer("buyers", \.sales.sums.buyers),
        .integer("charges", \.sales.sums.charges),
        .integer("refunded_charges", \.sales.sums.refundedCharges),
        .currency,
        .money("gross", \.sales.sums.gross),
        .money("net", \.sales.sums.net),
        .money("proceeds", \.sales.sums.proceeds),
        .integer("first_buyers", \.sales.sums.firstBuyers),
      ])
  }
}
