import Analysis
import Engine

extension ResultTable {
  /// `charges_by.csv`: what each group's users bought between their assignment and the cut-off, by what the logs tell
  /// of the charges' attributes: the store, the paywall that sold.
  ///
  /// For each attribute the values' charges and money add up to those of `products.csv`; a user who bought with
  /// several values is a buyer of each.
  static var chargesBy: ResultTable {
    ResultTable(
      "charges_by", of: \.chargesBy,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .key("attribute", \.sales.attribute),
        .key("value", \.sales.value),
        .integer("buyers", \.sales.sums.buyers),
        .integer("charges", \.sales.sums.charges),
        .integer("refunded_charges", \.sales.sums.refundedCharges),
        .currency,
        .money("gross", \.sales.sums.gross),
        .money("net", \.sales.sums.net),
        .money("proceeds", \.sales.sums.proceeds),
      ])
  }
}
