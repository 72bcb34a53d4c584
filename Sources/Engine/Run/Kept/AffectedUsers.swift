import Domain
import Platform

/// Of whom there is news since the night that is kept: rows that it had not, an assignment it did not know, or a time that
/// has come; and who is drawn in because one of them follows, or has, another's charge.
struct AffectedUsers {
  /// Hashes of their ids.
  private(set) var hashes: Set<UInt64>
  /// Transactions that new rows follow, whose charges anybody may have.
  let sought: Set<UInt64>
  /// Those who are in the roster, by partition and number there.
  private(set) var places: [[Place]] = Array(repeating: [], count: UserDirectory.partitionCount)
  private let relations: [SoughtCharge]
  /// Of the users of whom the night had not all rows, by hash.
  private var pasts: [UInt64: Past] = [:]

  /// A user of the roster.
  struct Place {
    var user: UInt32
    var past: Past
  }

  /// Which of a user's rows the night that is kept had.
  enum Past {
    case noRows
    case allRows
    /// Those of files that it had read, before its cut-off.
    case someRows
  }

  /// - Parameters:
  ///   - news: what files tell that the night had not read.
  ///   - lateAssignments: by number of the assignments' files whether users whom they name are counted anew in any case.
  /// - Throws: `KeptNight.Unusable` where a user's rows of that night are not there any more.
  init(
    of roster: Roster, since night: KeptNight, news: NewsSink.News, files: KnownFiles, lateAssignments: [Bool],
    cutoff: Int64, threads: Int
  ) async throws {
    relations = night.sought
    sought = news.sought
    hashes = news.users
    let parts = try await TaskPool.fold(
      UserDirectory.partitionCount, limit: threads, state: { Part() }
    ) { part, partition in
      try part.look(
        at: partition, of: roster, night.users[partition], files, cutoff: cutoff, isLate: lateAssignments)
    }
    for part in parts {
      hashes.formUnion(part.affected)
      pasts.merge(part.pasts) { mine, _ in mine }
    }
    drawIn(charged: news.charged)
    try await place(roster, threads: threads)
  }

  /// What is found in some partitions.
  private struct Part: Sendable {
    var affected: Set<UInt64> = []
    /// Of users of whom that night had not all rows.
    var pasts: [UInt64: Past] = [:]

    mutating func look(
      at partition: Int, of roster: Roster, _ kept: KeptUsers.Partition, _ files: KnownFiles, cutoff: Int64,
      isLate: [Bool]
    ) throws {
      let digests = roster.digests(partition: partition)
      let known = roster.digests(partition: partition, where: files.hadRow)
      let late = isLate.contains(true) ? roster.digests(partition: partition) { isLate[Int($0.file)] } : []
      var places = [UInt64: Int](minimumCapacity: kept.hashes.count)
      for (place, hash) in kept.hashes.enumerated() {
        guard places.updateValue(place, forKey: hash) == nil else { throw KeptNight.Unusable() }
        if kept.ends[place] <= cutoff { affected.insert(hash) }
      }
      var found = 0
      for user in digests.indices {
        let hash = ByteHash.hash64(roster.users.id(partition: partition, user: UInt32(user)))
        if !late.isEmpty, late[user] != 0 { affected.insert(hash) }
        guard let place = places[hash] else {
          affected.insert(hash)
          guard pasts.updateValue(.noRows, forKey: hash) == nil else { throw KeptNight.Unusable() }
          continue
        }
        found += 1
        if digests[user] == kept.digests[place] { continue }
        guard known[user] == kept.digests[place] else { throw KeptNight.Unusable() }
        affected.insert(hash)
        pasts[hash] = .someRows
      }
      guard found == kept.hashes.count else { throw KeptNight.Unusable() }
    }
  }

  /// Draws in users who turned out to have a charge that is sought; false where all of them are affected already.
  mutating func draw(in owners: Set<UInt64>, of roster: Roster, threads: Int) async throws -> Bool {
    let before = hashes.count
    hashes.formUnion(owners)
    guard hashes.count > before else { return false }
    drawIn()
    try await place(roster, threads: threads)
    return true
  }

  /// Draws in whoever has to do with the affected by a charge, until nobody is left.
  ///
  /// - Parameter charged: transactions that new charges name.
  private mutating func drawIn(charged: Set<UInt64> = []) {
    var rest = relations
    var hasGrown = true
    while hasGrown, !rest.isEmpty {
      hasGrown = false
      var others: [SoughtCharge] = []
      for relation in rest {
        if charged.contains(relation.transaction) || hashes.contains(relation.seeker) || hashes.contains(relation.owner)
        {
          if hashes.insert(relation.seeker).inserted { hasGrown = true }
          if hashes.insert(relation.owner).inserted { hasGrown = true }
        } else {
          others.append(relation)
        }
      }
      rest = others
    }
  }

  /// Finds the affected in the roster.
  private mutating func place(_ roster: Roster, threads: Int) async throws {
    let wanted = HashSet(hashes)
    places = try await TaskPool.run(UserDirectory.partitionCount, limit: threads, state: {}) { [pasts] _, partition in
      (0..<roster.users.count(partition: partition)).compactMap { user in
        let hash = ByteHash.hash64(roster.users.id(partition: partition, user: UInt32(user)))
        return wanted.contains(hash) ? Place(user: UInt32(user), past: pasts[hash] ?? .allRows) : nil
      }
    }
  }
}
