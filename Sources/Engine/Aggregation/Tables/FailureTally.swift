import Domain
import Measurement

/// What a group's users failed at between their assignment and the cut-off: events that carry a code.
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

  /// - Parameter validations: the types of events that tell how sending a receipt went.
  package mutating func add(_ user: UserHistory, from start: Int64, _ validations: [EventType]) {
    guard user.hasCodes || validations.contains(where: { user.happened.mayHold($0) }) else { return }
    var failed: Set<Receipt> = []
    var keys: Set<Key> = []
    var sent: Set<UInt64> = []
    for event in user.events where event.time >= start {
      if validations.contains(event.type), event.transaction.map({ sent.insert($0).inserted }) ?? true { receipts += 1 }
      guard event.code != Interner.none else { continue }
      let key = Key(type: event.type, code: event.code)
      let isNew = event.transaction.map { failed.insert(Receipt(key: key, transaction: $0)).inserted } ?? true
      counts[key, default: FailureCount.Counts()].events += 1
      if isNew { counts[key, default: FailureCount.Counts()].transactions += 1 }
      if keys.insert(key).inserted { counts[key, default: FailureCount.Counts()].users += 1 }
    }
  }

  /// By event, then by code.
  func named(_ names: GroupNames) -> [FailureCount] {
    counts
      .map { key, counts in
        FailureCount(
          event: names.types.names[Int(key.type.code)], code: names.codes[Int(key.code)],
          isOfReceipt: names.types.validations.contains(key.type), counts: counts)
      }
      .sorted { ($0.event, $0.code) < ($1.event, $1.code) }
  }
}

extension EventTypes {
  /// The types of events that tell how sending a receipt to be validated went; none where no log has such.
  var validations: [EventType] {
    [APIEventType.activation, .validationFailed, .sandboxReceipt].compactMap { type(named: $0.rawValue) }
  }
}
