import Analysis
import Domain

/// One kind of failure among a group's users.
struct FailureFinding {
  let kind: Kind
  let group: StoryGroup
  /// How often it happened.
  let events: Int
  /// Distinct receipts of each user that failed so.
  let transactions: Int
  let users: Int
  /// All the group's distinct receipts that were sent to be validated, of failures to validate one.
  let receipts: Int?
  /// The share of them that failed so.
  let rate: Double?
  /// What the store says the code means; empty of codes that are not its own.
  let meaning: String

  /// What failed, and the code the log has for it, or its message.
  struct Kind: Hashable, Comparable {
    let event: Identifier
    /// Empty where the log has none.
    let code: Identifier
    let message: Identifier

    /// `validation failed 21003`, `validation failed, “Transaction not found.”`, `validation failed without a code`.
    var text: String {
      let event = StoryWords.plain(event.text)
      if code != "" { return "\(event) \(code.text)" }
      return message == "" ? "\(event) without a code" : "\(event), “\(message.text)”"
    }

    static func < (left: Self, right: Self) -> Bool {
      (left.event, left.code, left.message) < (right.event, right.code, right.message)
    }
  }
}

extension FailureFinding {
  /// By group, then by kind.
  static func all(in source: OfferingSource) -> [FailureFinding] {
    source.rows(of: FailuresTable()).map { row in
      FailureFinding(
        kind: Kind(event: row.event, code: row.code, message: row.message), group: source.group(row.group),
        events: row.events ?? 0, transactions: row.transactions ?? 0, users: row.users ?? 0, receipts: row.receipts,
        rate: row.rate, meaning: row.codeMeaning)
    }
  }
}
