/// What a group's users failed at between their assignment and T: events that carry a code.
struct FailureTally: Sendable {
  private(set) var counts: [Key: Counts] = [:]

  /// By numbers.
  struct Key: Sendable, Hashable {
    var type: EventType
    var code: UInt32
  }

  struct Counts: Sendable {
    var events = 0
    /// Distinct transactions of each user; an event that names none is one by itself.
    var transactions = 0
    var users = 0
  }

  private struct Receipt: Hashable {
    var key: Key
    var transaction: UInt64
  }

  mutating func add(_ user: UserHistory, from start: Int64) {
    guard user.events.contains(where: { $0.code != Interner.none }) else { return }
    var receipts: Set<Receipt> = []
    var keys: Set<Key> = []
    for event in user.events where event.code != Interner.none && event.time >= start {
      let key = Key(type: event.type, code: event.code)
      let isNew = event.transaction.map { receipts.insert(Receipt(key: key, transaction: $0)).inserted } ?? true
      counts[key, default: Counts()].events += 1
      if isNew { counts[key, default: Counts()].transactions += 1 }
      if keys.insert(key).inserted { counts[key, default: Counts()].users += 1 }
    }
  }

  mutating func merge(_ other: FailureTally) {
    for (key, theirs) in other.counts {
      counts[key, default: Counts()].events += theirs.events
      counts[key, default: Counts()].transactions += theirs.transactions
      counts[key, default: Counts()].users += theirs.users
    }
  }
}
