import Analysis
import Engine

extension ResultTable {
  /// `failures.csv`: what failed between assignment and the cut-off, by the code the log has for it.
  ///
  /// `transactions` are distinct receipts of each user: a client that retries fails many times with one. `receipts`
  /// are all that were sent to be validated, and `rate` is the share of them that failed so; both are empty of other
  /// events.
  static var failures: ResultTable {
    ResultTable(
      "failures", of: \.failures,
      columns: [
        .key("offering_id", \.offering),
        .key("test_group_id", \.group),
        .key("event", \.failure.event),
        .key("code", \.failure.code),
        .integer("events", \.failure.counts.events),
        .integer("transactions", \.failure.counts.transactions),
        .integer("users", \.failure.counts.users),
        .integer("receipts", \.receipts),
        .real("rate", \.rate),
        .text("meaning") { ReceiptCodes.meaning($0.failure.code.text) },
      ])
  }
}
