import Domain
import Platform
import Synchronization

/// Partitions of users on a disk, as blocks of events and of assignments. Any number of threads may add to it.
final class PartitionFile: Sendable {
  /// The top bits of a user's hash say which partition a user is in.
  let bits: Int
  /// How many rows wait for a partition before they are written.
  let rowsOfBlock: Int
  private let limit: MemoryLimit
  private let threads: Int
  private let file: ScratchFile
  private let partitions: [Partition]

  /// Where a block lies.
  struct Piece: Sendable {
    fileprivate var start: Int64
    fileprivate var count: Int
    /// Of events: index of the file they are of, among the log's.
    let source: UInt32
  }

  private final class Partition: Sendable {
    let state = Mutex(State())
  }

  private struct State {
    var events: [Piece] = []
    var assignments: [Piece] = []
  }

  /// Room on the disk for inputs of so many bytes.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where it cannot be had.
  init(_ limit: MemoryLimit, inputs: Int64, threads: Int) throws {
    self.limit = limit
    self.threads = threads
    bits = limit.partitionBits(for: inputs, threads: threads)
    rowsOfBlock = limit.rowsOfBlock(bits: bits, threads: threads)
    file = try ScratchFile(in: limit.folder)
    partitions = (0..<1 << bits).map { _ in Partition() }
  }

  var partitionCount: Int { partitions.count }

  /// The partition of a user.
  @inline(__always)
  func partition(ofHash hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> UInt64(64 - bits)) }

  // MARK: - Adding

  /// Writes a block, which counts once it is kept.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where the disk does not take it.
  func write(_ block: [UInt8]?, of source: UInt32 = 0) throws -> Piece {
    guard let block else { throw BlockFault.damaged }
    return Piece(start: try file.append(block), count: block.count, source: source)
  }

  func keep(events pieces: [(partition: Int, piece: Piece)]) {
    for (partition, piece) in pieces { partitions[partition].state.withLock { $0.events.append(piece) } }
  }

  func keep(assignments piece: Piece, of partition: Int) {
    partitions[partition].state.withLock { $0.assignments.append(piece) }
  }

  // MARK: - Reading back

  /// The slices in which a partition's users are to be taken, so that each fits the memory.
  func slices(of partition: Int) -> [UserSlice] {
    let bytes = partitions[partition].state.withLock { state in
      (state.events + state.assignments).reduce(Int64(0)) { $0 + Int64($1.count) }
    }
    let count = limit.slices(ofBytes: bytes, threads: threads)
    return (0..<UInt64(count)).map { UserSlice(number: $0, count: UInt64(count), behind: bits) }
  }

  /// Calls `body` with the index of the source and the body of each block of a partition's events, file by file.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give it back as it was; what `body` throws.
  func forEachEvents(of partition: Int, _ body: (UInt32, Text) throws -> Void) throws {
    let pieces = partitions[partition].state.withLock { $0.events }.sorted { $0.source < $1.source }
    try read(pieces, .events, body)
  }

  /// Calls `body` with the body of each block of a partition's assignments.
  ///
  /// - Throws: as `forEachEvents`.
  func forEachAssignments(of partition: Int, _ body: (Text) throws -> Void) throws {
    try read(partitions[partition].state.withLock { $0.assignments }, .assignments) { try body($1) }
  }

  private func read(_ pieces: [Piece], _ kind: Block.Kind, _ body: (UInt32, Text) throws -> Void) throws {
    do {
      try readBlocks(pieces, kind, body)
    } catch let fault as BlockFault {
      throw fault.ofTemporaryFile(in: file.folder)
    }
  }

  private func readBlocks(_ pieces: [Piece], _ kind: Block.Kind, _ body: (UInt32, Text) throws -> Void) throws {
    var bytes: [UInt8] = []
    for piece in pieces {
      bytes.resize(to: piece.count)
      try file.read(from: piece.start, into: &bytes)
      guard try Block.head(bytes).kind == kind else { throw BlockFault.misplaced }
      try Block.verify(bytes, count: piece.count)
      try bytes.withText {
        try body(piece.source, $0.slice(Block.headSize..<piece.count - Block.tailSize))
      }
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
