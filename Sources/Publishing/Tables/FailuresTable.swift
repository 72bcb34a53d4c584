import Analysis
import Domain
import Measurement

/// `failures.csv`: what failed between assignment and the cut-off, by the code the log has for it, or by its message.
///
/// `transactions` are distinct receipts of each user: a client that retries fails many times with one. `receipts`
/// are all that were sent to be validated, and `rate` is the share of them that failed so; both are empty of other
/// events.
struct FailuresTable: GroupTable {
  typealias Record = FailureRow
  let name = "failures"
  let meaning = "What failed between assignment and the cut-off, by its code, or by its message where it has none."
  let records = Records<Record>.held(\.failures)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let event = Name("event", "the event that failed", isKey: true, \.failure.event)
  let code = Name("code", "the code the log has for it; empty where it has none", isKey: true, \.failure.code)
  let message = Name(
    "message", "where there is no code, what the answer said, ids left out", isKey: true, \.failure.message)
  let events = Integer("events", "how often", \.failure.counts.events)
  let transactions = Integer(
    "transactions", "distinct receipts of a user: a client that retries fails many times with one",
    \.failure.counts.transactions)
  let users = Integer("users", "users to whom it happened", \.failure.counts.users)
  let receipts = Integer("receipts", "all receipts sent to be validated; empty of other events", \.receipts)
  let rate = Real("rate", "the share of the receipts that failed so; empty of other events", in: .share, \.rate)
  let codeMeaning = Text("meaning", "what the code means, where it is Apple's") {
    ReceiptCodes.meaning($0.failure.code.text)
  }
}
