import Analysis
import Measurement

extension ResultTable {
  /// `failures.csv`: what failed between assignment and the cut-off, by the code the log has for it.
  ///
  /// `transactions` are distinct receipts of each user: a client that retries fails many times with one. `receipts`
  /// are all that were sent to be validated, and `rate` is the share of them that failed so; both are empty of other
  /// events.
  static var failures: ResultTable {
    ResultTable(
      "failures", "What failed between assignment and the cut-off, by the code that the log has for it.",
      of: \.failures,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .key("event", "the event that failed", \.failure.event),
        .key("code", "the code the log has for it", \.failure.code),
        .integer("events", "how often", \.failure.counts.events),
        .integer(
          "transactions", "distinct receipts of a user: a client that retries fails many times with one",
          \.failure.counts.transactions),
        .integer("users", "users to whom it happened", \.failure.counts.users),
        .integer("receipts", "all receipts sent to be validated; empty of other events", \.receipts),
        .real("rate", "the share of the receipts that failed so; empty of other events", \.rate),
        .text("meaning", "what the code means, where it is Apple's") { ReceiptCodes.meaning($0.failure.code.text) },
      ])
  }
}
