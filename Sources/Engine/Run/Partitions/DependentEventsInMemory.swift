import Platform

/// Hands the events that follow a charge, once everything has been read, to the users who have those charges.
///
/// Nearly every one is the user's who has the charge, which a partition tells by itself; only what is left is looked for
/// in all of them.
struct DependentEventsInMemory {
  private let unassigned: [DependentEventsOfUnassigned]
  private let users: UserDirectory
  private let chunks: [EventChunks]
  private let outside: (users: OutsideUsers, chunks: [EventChunks])?

  /// A transaction that events of a measured user follow.
  private struct Followed: Hashable {
    var partition: Int
    var user: UInt32
    var transaction: UInt64
  }

  private enum Position {
    case measured(partition: Int, user: UInt32)
    case outside(partition: Int, user: UInt32)
  }

  /// - Parameters:
  ///   - unassigned: what has been read of users whom nobody measures, by thread.
  ///   - chunks: what has been read of measured users, by thread.
  ///   - outside: the same of users in no offering, where the job asks for them.
  init(
    _ unassigned: [DependentEventsOfUnassigned], users: UserDirectory, chunks: [EventChunks],
    outside: (users: OutsideUsers, chunks: [EventChunks])?
  ) {
    (self.unassigned, self.users, self.chunks, self.outside) = (unassigned, users, chunks, outside)
  }

  /// Hands the events on.
  ///
  /// - Parameters:
  ///   - threads: how many partitions are looked at at once.
  ///   - setAside: is called with the file and the number of rows of every event of a user whom nobody measures.
  func settle(threads: Int, setAside: (UInt32, Int) -> Void) async throws {
    let astray = try await TaskPool.fold(UserDirectory.partitionCount, limit: threads, state: { [Followed]() }) {
      $0 += followedInVain(in: $1)
    }.flatMap(\.self)
    let (owners, positions) = findOwners(astray)
    let moves = astray.reduce(into: [Followed: UInt64]()) { moves, followed in
      let reported = ByteHash.hash64(users.id(partition: followed.partition, user: followed.user))
      let owner = owners.owner(of: followed.transaction, reported: reported)
      if owner != reported { moves[followed] = owner }
    }
    for partition in Set(moves.keys.map(\.partition)) {
      func owner(_ event: PurchaseEvent) -> UInt64? {
        event.referencedTransaction.flatMap {
          moves[Followed(partition: partition, user: event.userNumber, transaction: $0)]
        }
      }
      for event in chunks.flatMap({ $0[partition].removeFollowing { owner($0) != nil } }) {
        hand(event, to: owner(event).flatMap { positions[$0] }, setAside)
      }
    }
    for thread in unassigned {
      for (event, number) in thread.events {
        settle(event, of: thread.id(number), owners, positions, setAside)
      }
    }
  }

  /// What is followed of a partition by events whose own users have no such charge.
  private func followedInVain(in partition: Int) -> [Followed] {
    let parts = chunks.map { $0[partition] }
    var followed: [Followed] = []
    for part in parts {
      part.forEachFollowing { followed.append(Followed(partition: partition, user: $0, transaction: $1)) }
    }
    guard !followed.isEmpty else { return [] }
    var owners = ChargeOwners(of: followed.lazy.map(\.transaction), count: followed.count)
    for part in parts {
      part.forEachCharge { user, transaction in
        if owners.mayWant(transaction) { owners.note(UInt64(user) + 1, has: transaction) }
      }
    }
    return followed.filter { !owners.has(UInt64($0.user) + 1, chargeOf: $0.transaction) }
  }

  /// Who has the charges of what is followed in vain and of what unassigned users' events follow, and where these users are, both
  /// by the hashes of their ids.
  private func findOwners(_ astray: [Followed]) -> (owners: ChargeOwners, positions: [UInt64: Position]) {
    let ofUnassigned = unassigned.flatMap { $0.events.compactMap(\.event.referencedTransaction) }
    var owners = ChargeOwners(of: astray.map(\.transaction) + ofUnassigned, count: astray.count + ofUnassigned.count)
    var positions: [UInt64: Position] = [:]
    guard !owners.isEmpty else { return (owners, positions) }
    func look(in chunks: [EventChunks], of users: UserDirectory, _ position: (Int, UInt32) -> Position) {
      for partition in 0..<UserDirectory.partitionCount {
        for thread in chunks {
          thread[partition].forEachCharge { user, transaction in
            guard owners.mayWant(transaction) else { return }
            let hash = ByteHash.hash64(users.id(partition: partition, user: user))
            if owners.note(hash, has: transaction) { positions[hash] = position(partition, user) }
          }
        }
      }
    }
    look(in: chunks, of: users, Position.measured)
    if let outside { look(in: outside.chunks, of: outside.users.users, Position.outside) }
    for thread in unassigned {
      thread.charges.forEach { owners.note($0.user, has: $0.transaction) }
    }
    return (owners, positions)
  }

  /// Hands an event to the user who has its charge; nil for one whose events nobody keeps.
  private func hand(_ event: PurchaseEvent, to position: Position?, _ setAside: (UInt32, Int) -> Void) {
    if case .measured(let partition, let user)? = position {
      chunks.first?.append(event, to: partition, user: user)
    } else {
      setAside(event.file, event.rows)
      if case .outside(let partition, let user)? = position {
        outside?.chunks.first?.append(event, to: partition, user: user)
      }
    }
  }

  /// Hands an unassigned user's event to the user who has its charge; without one it stays that user's.
  private func settle(
    _ event: PurchaseEvent, of id: Text, _ owners: ChargeOwners, _ positions: [UInt64: Position],
    _ setAside: (UInt32, Int) -> Void
  ) {
    let reported = ByteHash.hash64(id)
    let owner = event.referencedTransaction.map { owners.owner(of: $0, reported: reported) } ?? reported
    guard owner == reported else { return hand(event, to: positions[owner], setAside) }
    setAside(event.file, event.rows)
    if let outside, let chunks = outside.chunks.first {
      OutsideEvents(users: outside.users, chunks: chunks).append(event, of: id)
    }
  }
}
