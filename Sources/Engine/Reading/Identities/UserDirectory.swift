import Synchronization

/// Every user a run measures, each with a place: a partition and a number in it.
///
/// A partition of users is the unit of work: every event belongs to one user, so what is computed from one
/// partition's events needs no other's.
package final class UserDirectory: Sendable {
  /// A power of two; the hash's top bits say which partition a user is in.
  static let partitionBits = 6
  static let partitionCount = 1 << partitionBits

  private let partitions = (0..<UserDirectory.partitionCount).map { _ in Partition() }

  /// One partition's users. Adding takes the lock; finding, once all are added, does not.
  private final class Partition: Sendable {
    let table = ByteTable()
    let lock = Mutex<Void>(())
  }

  /// Which partition a user with this hash is in.
  @inline(__always)
  static func partition(ofHash hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> UInt64(64 - partitionBits))
  }

  /// Gives the user a place, or finds the one it has.
  package func add(_ user: Text) -> (partition: Int, user: UInt32) {
    let hash = ByteHash.hash64(user)
    let partition = Self.partition(ofHash: hash)
    return (partition, add(user, hash: hash, partition: partition))
  }

  /// Gives the user a number in its partition, or finds the one it has.
  func add(_ user: Text, hash: UInt64, partition: Int) -> UInt32 {
    let position = partitions[partition]
    return position.lock.withLock { _ in UInt32(position.table.insert(user, hash: hash)) }
  }

  /// Calls `body` with a partition's users, for it to add others.
  @inline(__always)
  func withTable(of partition: Int, _ body: (ByteTable) -> Void) {
    let position = partitions[partition]
    position.lock.withLock { _ in body(position.table) }
  }

  /// The user's number in its partition; nil for a user nobody added. Only once all have been added.
  @inline(__always)
  package func find(_ user: Text, hash: UInt64, partition: Int) -> UInt32? {
    partitions[partition].table.find(user, hash: hash).map { UInt32($0) }
  }

  /// What finds its users, event after event. Only once all have been added, and while the directory lives.
  var finder: Finder { Finder(tables: partitions.map(\.table.view)) }

  /// Finds the users of a directory.
  struct Finder {
    fileprivate let tables: [ByteTable.View]

    /// The user's number in its partition; nil for a user nobody added.
    @inline(__always)
    func find(_ user: Text, hash: UInt64, partition: Int) -> UInt32? {
      tables[partition].find(user, hash: hash).map { UInt32($0) }
    }

    /// Asks for the memory that finding a user begins with.
    @inline(__always)
    func prefetchSlot(hash: UInt64) { tables[UserDirectory.partition(ofHash: hash)].prefetchSlot(hash: hash) }

    /// Asks for the memory that finding a user ends with.
    @inline(__always)
    func prefetchEntry(hash: UInt64) { tables[UserDirectory.partition(ofHash: hash)].prefetchEntry(hash: hash) }
  }

  /// Calls `body` with every user of a partition. Only once all have been added.
  package func forEach(partition: Int, _ body: (Text) -> Void) {
    let table = partitions[partition].table
    for number in 0..<table.count { body(table.text(number)) }
  }

  /// The id of a user of a partition, by its number there.
  func id(partition: Int, user: UInt32) -> Text { partitions[partition].table.text(Int(user)) }

  /// How many users a partition has.
  package func count(partition: Int) -> Int { partitions[partition].table.count }
}
