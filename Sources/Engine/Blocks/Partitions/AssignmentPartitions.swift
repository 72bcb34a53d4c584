import Synchronization

/// Writes assignment rows into their users' partitions on a disk. Any number of threads may add to it.
final class AssignmentPartitions: Sendable {
  let partitions: any PartitionedBlocks
  private let writers: [Writer]
  /// Number of the file that all rows are of, for whoever takes the blocks.
  private let source: UInt32
  private let failure = Mutex<(any Error)?>(nil)

  /// A partition's block; whoever holds the lock has it to itself.
  private final class Writer: @unchecked Sendable {
    private let block: AssignmentBlockWriter
    private let lock = Mutex<Void>(())

    init(_ block: AssignmentBlockWriter) {
      self.block = block
    }

    func append(_ row: AssignmentRow, hash: UInt64) -> [[UInt8]?] {
      lock.withLock { _ in
        block.append(row, hash: hash)
        return block.isFull ? [block.finish()] : []
      }
    }

    func finish() -> [[UInt8]?] { lock.withLock { _ in block.isEmpty ? [] : [block.finish()] } }
  }

  init(
    _ partitions: any PartitionedBlocks, names: EventNames, attributes: [String], values: [Interner], source: UInt32 = 0
  ) {
    self.partitions = partitions
    self.source = source
    writers = (0..<partitions.partitionCount).map { _ in
      Writer(
        AssignmentBlockWriter(names: names, attributes: attributes, values: values, mostRows: partitions.rowsOfBlock))
    }
  }

  /// Adds a row of the user with that hash.
  func append(_ row: AssignmentRow, hash: UInt64) {
    let partition = partitions.partition(ofHash: hash)
    for block in writers[partition].append(row, hash: hash) { write(block, of: partition) }
  }

  /// Writes what still waits.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where the disk did not take all.
  func finish() throws {
    for (partition, writer) in writers.enumerated() {
      for block in writer.finish() { write(block, of: partition) }
    }
    try check()
  }

  /// - Throws: as `finish`.
  func check() throws {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func write(_ block: [UInt8]?, of partition: Int) {
    do {
      partitions.retain([try partitions.write(block, .assignments, of: partition, from: source)])
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }
}
