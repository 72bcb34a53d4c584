import Domain

/// Blocks of events and assignments that a task has been given, by partition, on its disk.
final class GatheredUsers {
  let partitions: PartitionFile
  /// Keys of the files that blocks are of, by number in order of arrival, and those numbers.
  private(set) var keys: [String] = []
  private var numbers: [String: UInt32] = [:]
  /// Keys of the files that blocks of events are of.
  private var withEvents: Set<String> = []

  /// - Throws: `OfferliftError` (73 or 74) where the disk has no room.
  init(_ run: ExchangedRun, _ memory: MemoryLimit, threads: Int) throws {
    partitions = try PartitionFile(memory, bits: run.partitionBits, threads: threads)
  }

  /// - Throws: `OfferliftError` (73 or 74) where the disk does not take it; `BlockFault` where it has no partition.
  func accept(_ block: ExchangedBlock, _ kind: Block.Kind) throws {
    guard let partition = block.partition, partition < partitions.partitionCount, partition >= 0 else {
      throw BlockFault.damaged
    }
    if kind == .events { withEvents.insert(block.file) }
    partitions.retain([try partitions.write(block.bytes, kind, of: partition, source: number(of: block.file))])
  }

  private func number(of key: String) -> UInt32 {
    if let known = numbers[key] { return known }
    let number = UInt32(keys.count)
    keys.append(key)
    numbers[key] = number
    return number
  }

  /// Gives the blocks the numbers that their files have in the run; events of damaged files are given up.
  ///
  /// - Throws: `OfferliftError` where a file is none of the run's.
  func renumber(_ files: ExchangedFiles.Ordered) throws {
    let numbers = try keys.map { try files.number(ofKey: $0, hasEvents: withEvents.contains($0)) }
    let isDamaged = keys.map { files.isDamaged(key: $0) }
    try partitions.renumber { kind, source in
      kind == .events && isDamaged[Int(source)] ? nil : numbers[Int(source)]
    }
  }
}
