import Domain

/// One thread's events that follow a charge, until it is known who has that charge. For one thread at a time.
final class FollowingEventsOfThread: @unchecked Sendable {
  /// Events, each with the user whom its row names, and the hash of that one's id.
  fileprivate private(set) var events: [(event: RecordedEvent, user: User, hash: UInt64)] = []
  /// Charges of users whom nobody measures and nobody keeps.
  fileprivate let strangersCharges = ChunkList<StrangersCharge>(chunkSize: 1024)
  private let strangers = ByteTable()
  private var finished = 0

  /// Where an event's user is; a user nobody measures has a number in the thread's own table.
  fileprivate enum User {
    case measured(partition: Int, user: UInt32)
    case stranger(number: Int)
  }

  fileprivate struct StrangersCharge: BitwiseCopyable {
    var transaction: UInt64
    /// Of the user's id.
    var user: UInt64
  }

  /// Takes an event of a measured user.
  func append(_ event: RecordedEvent, partition: Int, user: UInt32, hash: UInt64) {
    events.append((event, .measured(partition: partition, user: user), hash))
  }

  /// Takes an event of a user whom nobody measures.
  func append(_ event: RecordedEvent, ofStranger id: Text, hash: UInt64) {
    events.append((event, .stranger(number: strangers.insert(id, hash: hash)), hash))
  }

  /// Takes the charge of a user whom nobody measures and nobody keeps.
  func noteStrangersCharge(_ transaction: UInt64, hash: UInt64) {
    strangersCharges.append(StrangersCharge(transaction: transaction, user: hash))
  }

  fileprivate func id(ofStranger number: Int) -> Text { strangers.text(number) }

  func finishFile() {
    finished = events.count
    strangersCharges.finishFile()
  }

  func abandonFile() {
    events.removeLast(events.count - finished)
    strangersCharges.abandonFile()
  }
}

/// Hands the events that follow a charge, once everything has been read, to the users who have those charges.
struct FollowingEventsInMemory {
  private let threads: [FollowingEventsOfThread]
  private let users: UserDirectory
  private let chunks: [EventChunks]
  private let outside: (users: OutsideUsers, chunks: [EventChunks])?
  private var owners: ChargeOwners

  private enum Place {
    case measured(partition: Int, user: UInt32)
    case outside(partition: Int, user: UInt32)
  }

  /// - Parameters:
  ///   - chunks: what has been read of measured users, by thread.
  ///   - outside: the same of users in no offering, where the job asks for them.
  init(
    _ threads: [FollowingEventsOfThread], users: UserDirectory, chunks: [EventChunks],
    outside: (users: OutsideUsers, chunks: [EventChunks])?
  ) {
    (self.threads, self.users, self.chunks, self.outside) = (threads, users, chunks, outside)
    owners = ChargeOwners(
      of: threads.lazy.flatMap(\.events).compactMap(\.event.soughtTransaction),
      count: threads.reduce(0) { $0 + $1.events.count })
    guard !owners.isEmpty else { return }
    var owners = owners
    let isWanted = owners.mayWant
    Self.forEachCharge(in: chunks, of: users, where: isWanted) { owners.note($2, has: $3) }
    if let outside {
      Self.forEachCharge(in: outside.chunks, of: outside.users.users, where: isWanted) { owners.note($2, has: $3) }
    }
    for thread in threads {
      thread.strangersCharges.forEach { owners.note($0.user, has: $0.transaction) }
    }
    self.owners = owners
  }

  /// Calls `body` with the partition, the number and the hash of the user who has each charge of some transactions.
  private static func forEachCharge(
    in chunks: [EventChunks], of users: UserDirectory, where isWanted: (UInt64) -> Bool,
    _ body: (Int, UInt32, UInt64, UInt64) -> Void
  ) {
    for partition in 0..<UserDirectory.partitionCount {
      for thread in chunks {
        func look(_ head: EventHead) {
          guard isWanted(head.transaction), head.hasTransaction else { return }
          body(
            partition, head.user, ByteHash.hash64(users.id(partition: partition, user: head.user)), head.transaction)
        }
        thread[partition].charges.forEach { look($0.head) }
        thread[partition].unpriced.forEach { look($0.head) }
      }
    }
  }

  /// Where the users are whose charges are followed by other users' rows, by the hashes of their ids.
  private func placesOfOthers() -> [UInt64: Place] {
    var sought: Set<UInt64> = []
    for thread in threads {
      for (event, _, told) in thread.events {
        guard let transaction = event.soughtTransaction, owners.owner(of: transaction, told: told) != told else {
          continue
        }
        sought.insert(transaction)
      }
    }
    var places: [UInt64: Place] = [:]
    guard !sought.isEmpty else { return places }
    Self.forEachCharge(in: chunks, of: users, where: sought.contains) { partition, user, hash, _ in
      places[hash] = .measured(partition: partition, user: user)
    }
    if let outside {
      let users = outside.users.users
      Self.forEachCharge(in: outside.chunks, of: users, where: sought.contains) { partition, user, hash, _ in
        places[hash] = .outside(partition: partition, user: user)
      }
    }
    return places
  }

  /// Hands the events on.
  ///
  /// - Parameter setAside: is called with the file and the number of rows of every event of a user whom nobody measures.
  func settle(setAside: (UInt32, Int) -> Void) {
    guard let measured = chunks.first else { return }
    let places = placesOfOthers()
    for thread in threads {
      for (event, user, told) in thread.events {
        let owner = event.soughtTransaction.map { owners.owner(of: $0, told: told) } ?? told
        if owner == told {
          keep(event, of: user, thread, measured, setAside)
        } else if case .measured(let partition, let number)? = places[owner] {
          measured.append(event, to: partition, user: number)
        } else {
          setAside(event.head.file, event.head.rows)
          if case .outside(let partition, let number)? = places[owner] {
            outside?.chunks.first?.append(event, to: partition, user: number)
          }
        }
      }
    }
  }

  private func keep(
    _ event: RecordedEvent, of user: FollowingEventsOfThread.User, _ thread: FollowingEventsOfThread,
    _ measured: EventChunks, _ setAside: (UInt32, Int) -> Void
  ) {
    switch user {
    case .measured(let partition, let number): measured.append(event, to: partition, user: number)
    case .stranger(let number):
      setAside(event.head.file, event.head.rows)
      guard let outside, let chunks = outside.chunks.first else { return }
      OutsideEvents(users: outside.users, chunks: chunks).append(event, of: thread.id(ofStranger: number))
    }
  }
}
