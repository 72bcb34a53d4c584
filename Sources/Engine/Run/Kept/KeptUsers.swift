import Synchronization

/// What is kept of every user for the next night: a hash of the id, what the assignment rows say, and until when what is
/// counted of the user holds.
final class KeptUsers: Sendable {
  /// The users of one partition, side by side.
  struct Partition {
    /// Of the ids; one comes once.
    var hashes: [UInt64] = []
    /// As `Roster.digests` tells them.
    var digests: [UInt64] = []
    /// As `Validity.end`.
    var ends: [Int64] = []

    /// - Parameter room: so many are coming.
    init(room: Int = 0) {
      hashes.reserveCapacity(room)
      digests.reserveCapacity(room)
      ends.reserveCapacity(room)
    }

    mutating func append(_ hash: UInt64, digest: UInt64, end: Int64) {
      hashes.append(hash)
      digests.append(digest)
      ends.append(end)
    }
  }

  private let partitions = Mutex(Array(repeating: Partition(), count: UserDirectory.partitionCount))

  /// The users of a partition.
  subscript(partition: Int) -> Partition {
    get { partitions.withLock { $0[partition] } }
    set { partitions.withLock { $0[partition] = newValue } }
  }

  /// By partition how many users it has.
  var counts: [Int] { partitions.withLock { $0.map(\.hashes.count) } }

  /// Takes a partition's users from a run.
  func keep(_ partition: Int, of users: UserDirectory, digests: [UInt64], ends: [Int64]) {
    var kept = Partition(room: digests.count)
    for number in digests.indices {
      let hash = ByteHash.hash64(users.id(partition: partition, user: UInt32(number)))
      kept.append(hash, digest: digests[number], end: ends[number])
    }
    self[partition] = kept
  }
}
