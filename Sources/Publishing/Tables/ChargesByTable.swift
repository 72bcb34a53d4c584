import Analysis
import Measurement

extension ResultTable {
  /// `charges_by.csv`: what each group's users bought between their assignment and the cut-off, by what the logs tell
  /// of the charges' attributes: the store, the paywall that sold.
  ///
  /// For each attribute the values' charges and money add up to those of `products.csv`; a user who bought with
  /// several values is a buyer of each.
  static var chargesBy: ResultTable {
    ResultTable(
      "charges_by", "The same sums by what the logs tell of a charge: the store, the paywall that sold.",
      of: \.chargesBy,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .key("attribute", "the charge's attribute: store, paywall …", \.sales.attribute),
        .key("value", "its value", \.sales.value),
        .integer(
          "buyers", "users with such a charge; one who bought with several values is a buyer of each",
          \.sales.sums.buyers),
        .integer("charges", "charges, renewals too", \.sales.sums.charges),
        .integer("refunded_charges", "charges of which money was taken back", \.sales.sums.refundedCharges),
        .currency,
        .money("gross", "money charged", \.sales.sums.gross),
        .money("net", "money charged less refunds", \.sales.sums.net),
        .money("proceeds", "net less tax and the store's commission", \.sales.sums.proceeds),
      ])
  }
}
