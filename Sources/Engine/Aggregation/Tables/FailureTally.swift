import Domain
import Measurement

/// What a group's users failed at between their assignment and the cut-off: events that carry a reason, and failed
/// validations of receipts that tell none.
package struct FailureTally: Tally {
  package private(set) var counts: [Key: FailureCount.Counts] = [:]
  /// Distinct receipts of each user that were sent to be validated, whatever came of it.
  package private(set) var receipts = 0

  static let parts: [TallyPart<Self>] = [
    TallyPart("failures", \.counts) { $1.knows($0.type) && $1.knows(code: $0.code) },
    TallyPart(\.receipts),
  ]

  /// By numbers.
  package struct Key: Sendable, Codable, Hashable {
    package var type: EventType
    package var code: UInt32
  }

  private struct Receipt: Hashable {
    var key: Key
    var transaction: UInt64
  }

  mutating func add(_ user: UserHistory, from start: Int64, _ plan: GroupTablePlan) {
    let validations = plan.validations
    guard user.hasCodes || validations.types.contains(where: { user.happened.mayHold($0) }) else { return }
    var failed: Set<Receipt> = []
    var keys: Set<Key> = []
    var sent: Set<UInt64> = []
    for event in user.events where event.time >= start {
      if validations.types.contains(event.type), event.transaction.map({ sent.insert($0).inserted }) ?? true {
        receipts += 1
      }
      guard event.code != Interner.none || event.type == validations.failed else { continue }
      guard event.type != plan.answersOnCredits else { continue }
      let key = Key(type: event.type, code: event.code)
      let isNew = event.transaction.map { failed.insert(Receipt(key: key, transaction: $0)).inserted } ?? true
      counts[key, default: FailureCount.Counts()].events += 1
      if isNew { counts[key, default: FailureCount.Counts()].transactions += 1 }
      if keys.insert(key).inserted { counts[key, default: FailureCount.Counts()].users += 1 }
    }
  }

  /// By event, then by code, then by message.
  func named(_ names: GroupNames) -> [FailureCount] {
    let validations = ReceiptValidations(names.types)
    return
      counts
      .map { key, counts in
        let reason = FailureReason(named: key.code == Interner.none ? nil : names.codes[Int(key.code)])
        return FailureCount(
          event: names.types.names[Int(key.type.code)], code: reason.code, message: reason.message,
          isOfReceipt: validations.types.contains(key.type), counts: counts)
      }
      .sorted { ($0.event, $0.code, $0.message) < ($1.event, $1.code, $1.message) }
  }
}

/// The types of events that tell how sending a receipt to be validated went; none where no log has such.
struct ReceiptValidations {
  let types: [EventType]
  /// It was not accepted.
  let failed: EventType?

  init(_ types: EventTypes) {
    self.types = [APIEventType.activation, .validationFailed, .sandboxReceipt].compactMap {
      types.type(named: $0.rawValue)
    }
    failed = types.type(named: APIEventType.validationFailed.rawValue)
  }
}
