import Domain
import Platform
import Synchronization

/// Partitions of users on a disk, as blocks of events and of assignments. Any number of threads may add to it.
final class PartitionFile: PartitionedBlocks {
  let bits: Int
  let rowsOfBlock: Int
  private let limit: MemoryLimit
  private let threads: Int
  private let file: ScratchFile
  private let partitions: [Partition]

  private final class Partition: Sendable {
    let state = Mutex(State())
  }

  private struct State {
    var events = PieceList()
    var assignments = PieceList()
    var claims = PieceList()
    var following = PieceList()

    mutating func retain(_ piece: BlockPiece, on disk: ScratchFile) {
      switch piece.kind {
      case .assignments: assignments.add(piece, on: disk)
      case .claims: claims.add(piece, on: disk)
      case .following: following.add(piece, on: disk)
      default: events.add(piece, on: disk)
      }
    }
  }

  /// Room on the disk for inputs of so many bytes.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where it cannot be had.
  convenience init(_ limit: MemoryLimit, inputs: Int64, threads: Int) throws {
    try self.init(limit, bits: limit.partitionBits(for: inputs, threads: threads), threads: threads)
  }

  /// Room on the disk for a number of partitions.
  ///
  /// - Parameter bits: how many of the top bits of a user's hash say which partition a user is in.
  /// - Throws: `OfferliftError` (73 or 74) where it cannot be had.
  init(_ limit: MemoryLimit, bits: Int, threads: Int) throws {
    self.limit = limit
    self.threads = threads
    self.bits = bits
    rowsOfBlock = limit.rowsOfBlock(bits: bits, threads: threads)
    file = try ScratchFile(in: limit.folder)
    partitions = (0..<1 << bits).map { _ in Partition() }
  }

  // MARK: - Adding

  func write(_ block: [UInt8], _ kind: Block.Kind, of partition: Int, source: UInt32) throws -> BlockPiece {
    BlockPiece(
      kind: kind, partition: partition, source: source, start: try file.append(block), count: block.count)
  }

  func retain(_ pieces: [BlockPiece]) {
    for piece in pieces {
      partitions[piece.partition].state.withLock { $0.retain(piece, on: file) }
    }
  }

  /// Gives the sources other numbers; blocks of those that have none are given up.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give back where they lie.
  func renumber(_ number: (Block.Kind, UInt32) -> UInt32?) throws {
    for partition in partitions {
      let state = partition.state.withLock { $0 }
      var renumbered = State()
      for list in [state.events, state.assignments, state.claims, state.following] {
        for var piece in try all(of: list) {
          guard let source = number(piece.kind, piece.source) else { continue }
          piece.source = source
          renumbered.retain(piece, on: file)
        }
      }
      partition.state.withLock { [renumbered] in $0 = renumbered }
    }
  }

  // MARK: - Reading back

  /// - Throws: `MemoryExceeded` where what was read back has taken more than the run may have.
  func checkRoom() throws { try limit.onDisk.check() }

  /// The slices in which a partition's users are to be taken, so that each fits the memory.
  func slices(of partition: Int) -> [UserSlice] {
    let bytes = partitions[partition].state.withLock { $0.events.bytes + $0.assignments.bytes }
    let count = limit.slices(ofBytes: bytes, threads: threads)
    return (0..<UInt64(count)).map { UserSlice(number: $0, count: UInt64(count), behind: bits) }
  }

  /// Calls `body` with the index of the source and the body of each block of a partition's events, file by file.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give it back as it was; what `body` throws.
  func forEachEvents(of partition: Int, _ body: (UInt32, Text) throws -> Void) throws {
    let pieces = try all(of: partitions[partition].state.withLock { $0.events })
    try read(pieces.sorted { $0.source < $1.source }, .events, body)
  }

  /// Calls `body` with the index of the source and the body of each block of a partition's assignments.
  ///
  /// - Throws: as `forEachEvents`.
  func forEachAssignments(of partition: Int, _ body: (UInt32, Text) throws -> Void) throws {
    try read(try all(of: partitions[partition].state.withLock { $0.assignments }), .assignments, body)
  }

  /// All partitions of transactions, as many together as may be settled at once, and no fewer groups than threads.
  var groupsOfFollowing: [Range<Int>] {
    let sizes = partitions.map { $0.state.withLock { $0.following.bytes } }
    let share = (sizes.reduce(0, +) + Int64(threads) - 1) / Int64(threads)
    let most = min(limit.roomForFollowing(threads: threads), share)
    var groups: [Range<Int>] = []
    var bytes: Int64 = 0
    for (number, own) in sizes.enumerated() {
      if let last = groups.last, bytes + own <= most {
        groups[groups.count - 1] = last.lowerBound..<number + 1
        bytes += own
      } else {
        groups.append(number..<number + 1)
        bytes = own
      }
    }
    return groups
  }

  /// Calls `body` with the index of the source and the body of each block of some partitions of transactions: who has
  /// which transaction's charge.
  ///
  /// - Throws: as `forEachEvents`.
  func forEachClaims(of group: Range<Int>, _ body: (UInt32, Text) throws -> Void) throws {
    for partition in group {
      try read(try all(of: partitions[partition].state.withLock { $0.claims }), .claims, body)
    }
  }

  /// The same, of events that follow a charge of the partitions' transactions, file by file.
  ///
  /// - Throws: as `forEachEvents`.
  func forEachFollowing(of group: Range<Int>, _ body: (UInt32, Text) throws -> Void) throws {
    let pieces = try group.flatMap { try all(of: partitions[$0].state.withLock { $0.following }) }
    try read(pieces.sorted { $0.source < $1.source }, .following, body)
  }

  private func all(of list: PieceList) throws -> [BlockPiece] {
    try naming { try list.all(on: file) }
  }

  private func read(_ pieces: [BlockPiece], _ kind: Block.Kind, _ body: (UInt32, Text) throws -> Void) throws {
    try naming { try readBlocks(pieces, kind, body) }
  }

  /// Names the folder where something on the disk is not as it was.
  private func naming<Result>(_ reading: () throws -> Result) throws -> Result {
    do {
      return try reading()
    } catch let fault as BlockFault {
      throw fault.ofTemporaryFile(in: file.folder)
    }
  }

  private func readBlocks(_ pieces: [BlockPiece], _ kind: Block.Kind, _ body: (UInt32, Text) throws -> Void) throws {
    var bytes: [UInt8] = []
    for piece in pieces {
      bytes.resize(to: piece.count)
      try file.read(from: piece.start, into: &bytes)
      let position = try Block.body(of: bytes, kind).indices
      try bytes.withText { try body(piece.source, $0.slice(position)) }
    }
  }
}

/// Some of a partition's users: those whose hashes go on in one way behind the partition's bits.
struct UserSlice: Sendable {
  fileprivate let number: UInt64
  fileprivate let count: UInt64
  fileprivate let behind: Int

  /// All users of the partition are in it.
  var isAll: Bool { count == 1 }

  /// Whether a user of the partition is in it.
  @inline(__always)
  func contains(_ hash: UInt64) -> Bool { (hash << UInt64(behind)).multipliedFullWidth(by: count).high == number }
}

extension [UInt8] {
  fileprivate mutating func resize(to count: Int) {
    if self.count > count {
      removeLast(self.count - count)
    } else {
      append(contentsOf: repeatElement(0, count: count - self.count))
    }
  }
}
