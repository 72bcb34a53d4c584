/// Where the blocks of partitions of users go: a file on a disk, or the rows that a task of a cluster writes.
protocol PartitionedBlocks: AnyObject, Sendable {
  /// How many of the top bits of a user's hash say which partition a user is in.
  var bits: Int { get }
  /// How many rows wait for a partition before they are written.
  var rowsOfBlock: Int { get }

  /// Writes a block, which counts once it is kept.
  ///
  /// - Parameter source: of events the index of the file they are of, among the log's.
  /// - Throws: `OfferliftError` (73 or 74) where it cannot be written.
  func write(_ block: [UInt8], _ kind: Block.Kind, of partition: Int, source: UInt32) throws -> BlockPiece

  func retain(_ pieces: [BlockPiece])
}

/// A block that has been written, in 24 bytes: a large log that follows charges has millions of them.
struct BlockPiece: Sendable {
  let kind: Block.Kind
  private let number: UInt16
  /// Of events: index of the file they are of, among the log's.
  var source: UInt32
  /// Where it begins, where it lies in a file.
  let start: Int64
  private let size: UInt32

  /// There are no more than 65,536 partitions.
  var partition: Int { Int(number) }
  /// How many bytes it has.
  var count: Int { Int(size) }

  init(kind: Block.Kind, partition: Int, source: UInt32, start: Int64 = 0, count: Int = 0) {
    (self.kind, number, self.source) = (kind, UInt16(partition), source)
    (self.start, size) = (start, UInt32(count))
  }
}

extension PartitionedBlocks {
  var partitionCount: Int { 1 << bits }

  /// The partition of a user.
  @inline(__always)
  func partition(ofHash hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> UInt64(64 - bits)) }

  /// The same; nil is a block that was too long to be one.
  func write(_ block: [UInt8]?, _ kind: Block.Kind, of partition: Int, from source: UInt32) throws -> BlockPiece {
    guard let block else { throw BlockFault.damaged }
    return try write(block, kind, of: partition, source: source)
  }
}
