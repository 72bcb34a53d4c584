import Domain

/// Partitions whose blocks leave the task as soon as they are full.
final class OutgoingBlocks: PartitionedBlocks {
  let bits: Int
  let rowsOfBlock: Int
  /// By source.
  private let files: [String]
  private let outlet: BlockOutlet

  /// All partitions' waiting rows together are about so many.
  private static let waitingRows = 1 << 20
  /// A block of so many is some 50 KB. Larger ones make those that carry them run out of memory, which hold many at once.
  private static let mostRows = 1 << 10

  /// - Parameter files: by source the keys of the files that blocks are of.
  init(bits: Int, files: [String], outlet: @escaping BlockOutlet) {
    self.bits = bits
    self.files = files
    self.outlet = outlet
    rowsOfBlock = min(max(Self.waitingRows >> bits, 64), Self.mostRows)
  }

  func write(_ block: [UInt8], _ kind: Block.Kind, of partition: Int, source: UInt32) throws -> BlockPiece {
    try outlet(ExchangedBlock(partition: partition, file: files[Int(source)], bytes: block))
    return BlockPiece(kind: kind, partition: partition, source: source)
  }

  /// What has left cannot be called back: whether a file counts is told beside its blocks.
  func retain(_ pieces: [BlockPiece]) {}
}
