import Domain
import Measurement

/// Hands the events of some partitions of transactions that follow a charge to the users who have those charges.
struct FollowingEventsInBlocks {
  private let partitions: PartitionFile
  private let names: EventNames
  private let types: EventTypes
  /// Who each id stands for; of blocks in which that is settled nobody.
  private let identities: Identities
  /// Whether a source's claims count: those of a damaged file do not.
  private let isSound: (UInt32) -> Bool

  init(
    _ partitions: PartitionFile, names: EventNames, types: EventTypes, identities: Identities = .none,
    isSound: @escaping (UInt32) -> Bool = { _ in true }
  ) {
    self.partitions = partitions
    (self.names, self.types, self.identities) = (names, types, identities)
    self.isSound = isSound
  }

  /// Hands the partitions' events to a sink, each under its owner's id.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where the disk does not give the blocks back, or does not take others.
  func settle(_ group: Range<Int>, into sink: inout PartitioningSink) throws {
    var sought = SoughtTransactions()
    try forEachFollowing(of: group) { try $1.tell(&sought, booking: &$2) }
    guard !sought.transactions.isEmpty else { return }
    var owners = ChargeOwners(of: sought.transactions, count: sought.transactions.count)
    let ids = OwnersIDs()
    try partitions.forEachClaims(of: group) { source, body in
      guard isSound(source) else { return }
      try ClaimBlock.forEach(body) { transaction, user in
        guard owners.mayWant(transaction) else { return }
        let user = identities.resolve(user)
        let hash = ByteHash.hash64(user)
        if owners.note(hash, has: transaction) { ids.add(user, hash: hash) }
      }
    }
    try forEachFollowing(of: group) { source, block, fates in
      if source != sink.file { sink.finishFile() }
      sink.file = source
      var handing = HandingOn(sink, owners, ids, identities)
      try block.tell(&handing, booking: &fates)
      sink = handing.sink
    }
    sink.finishFile()
    try sink.check()
  }

  private func forEachFollowing(
    of group: Range<Int>, _ body: (UInt32, EventBlock, inout RowOutcomes) throws -> Void
  ) throws {
    try partitions.forEachFollowing(of: group) { source, bytes in
      var fates = RowOutcomes()
      try body(source, EventBlock(bytes, names: names, types: types), &fates)
    }
  }
}

/// The transactions whose charges events follow.
private struct SoughtTransactions: EventSink {
  var transactions: Set<UInt64> = []

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    if let transaction = event.transaction { transactions.insert(transaction) }
  }

  mutating func finishBatch() {}
  mutating func finishFile() {}
  mutating func abandonFile() {}
}

/// Users' ids by their hashes. For one thread.
private final class OwnersIDs {
  private let ids = ByteTable()
  private var numbers: [UInt64: Int] = [:]

  func add(_ id: Text, hash: UInt64) { numbers[hash] = ids.insert(id, hash: hash) }

  subscript(hash: UInt64) -> Text? { numbers[hash].map { ids.text($0) } }
}

/// Hands events on under the ids of the users who have their charges.
private struct HandingOn: EventSink {
  var sink: PartitioningSink
  private let owners: ChargeOwners
  private let ids: OwnersIDs
  private let identities: Identities

  init(_ sink: PartitioningSink, _ owners: ChargeOwners, _ ids: OwnersIDs, _ identities: Identities) {
    (self.sink, self.owners, self.ids, self.identities) = (sink, owners, ids, identities)
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    var event = event
    event.user = identities.resolve(event.user)
    if let transaction = event.transaction {
      let told = ByteHash.hash64(event.user)
      let owner = owners.owner(of: transaction, told: told)
      if owner != told, let id = ids[owner] { event.user = id }
    }
    sink.receive(event, place: place)
  }

  mutating func finishBatch() {}
  mutating func finishFile() {}
  mutating func abandonFile() {}
}
