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

  /// What failed, and the code the log has for it.
  struct Kind: Hashable, Comparable {
    let event: Identifier
    let code: Identifier

    static func < (left: Self, right: Self) -> Bool { (left.event, left.code) < (right.event, right.code) }
  }
}

extension FailureFinding {
  /// By group, then by kind.
  static func all(in source: OfferingSource) -> [FailureFinding] {
    source.rows(.failures).map { row in
      FailureFinding(
        kind: Kind(event: row.name("event"), code: row.name("code")), group: source.group(row),
        events: row.integer("events") ?? 0, transactions: row.integer("transactions") ?? 0,
        users: row.integer("users") ?? 0, receipts: row.integer("receipts"), rate: row.real("rate"),
        meaning: row.text("meaning"))
    }
  }
}
