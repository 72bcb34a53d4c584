import Domain
import Measurement

/// Gives each dependent event to the user who has its charge, one partition of transactions at a time.
struct DependentEventsInBlocks {
  private let partitions: PartitionFile
  private let names: EventNames
  private let types: EventTypes
  /// Which user each id stands for; `.none` where the blocks' ids are users already.
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
    var wanted: Set<UInt64> = []
    try forEachFollowing(of: group) { _, block in
      try block.forEachEvent { event, _ in if let transaction = event.transaction { wanted.insert(transaction) } }
    }
    guard !wanted.isEmpty else { return }
    var owners = ChargeOwners(of: wanted, count: wanted.count)
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
    try forEachFollowing(of: group) { source, block in
      if source != sink.file { sink.finishFile() }
      sink.file = source
      try block.forEachEvent { event, position in
        var event = event
        event.user = identities.resolve(event.user)
        if let transaction = event.transaction {
          let named = ByteHash.hash64(event.user)
          let owner = owners.owner(of: transaction, reported: named)
          if owner != named, let id = ids[owner] { event.user = id }
        }
        sink.receive(event, position: position)
      }
      withExtendedLifetime(block) { sink.finishBatch() }
    }
    sink.finishFile()
    try sink.check()
  }

  private func forEachFollowing(of group: Range<Int>, _ body: (UInt32, EventBlock) throws -> Void) throws {
    try partitions.forEachFollowing(of: group) { source, bytes in
      try body(source, EventBlock(bytes, names: names, types: types))
    }
  }
}

/// Users' ids by their hashes. For one thread.
private final class OwnersIDs {
  private let ids = ByteTable()
  private var numbers: [UInt64: Int] = [:]

  func add(_ id: Text, hash: UInt64) { numbers[hash] = ids.insert(id, hash: hash) }

  subscript(hash: UInt64) -> Text? { numbers[hash].map { ids.text($0) } }
}
