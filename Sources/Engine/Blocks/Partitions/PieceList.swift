import Domain
import Platform

/// Where the blocks of one kind of a partition lie, in the order they came in: the last of them in memory, all others told
/// by blocks on the same disk.
///
/// A log in eight hundred files whose refunds follow charges has millions of short blocks. In memory their places took 170 MB
/// of a run that was to make do with 256.
struct PieceList {
  private var waiting: [BlockPiece] = []
  /// The blocks that tell of those before.
  private var reported: [BlockPiece] = []
  /// How many bytes the blocks have.
  private(set) var bytes: Int64 = 0

  /// No more of them are in memory.
  static let mostInMemory = 128

  /// Adds a block. Where the disk has no room for the list, it stays in memory: whoever writes the next block is told.
  mutating func add(_ piece: BlockPiece, on disk: ScratchFile) {
    waiting.append(piece)
    bytes += Int64(piece.count)
    guard waiting.count >= Self.mostInMemory else { return }
    let column = ColumnWriter()
    for piece in waiting { piece.write(to: column) }
    guard let block = Block.frame(.pieces, [column]), let start = try? disk.append(block) else { return }
    reported.append(
      BlockPiece(kind: .pieces, partition: piece.partition, source: 0, start: start, count: block.count))
    waiting.removeAll(keepingCapacity: true)
  }

  /// All of them.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give the list back; `BlockFault` where it is not as it was.
  func all(on disk: ScratchFile) throws -> [BlockPiece] {
    var all: [BlockPiece] = []
    for block in reported {
      var bytes = [UInt8](repeating: 0, count: block.count)
      try disk.read(from: block.start, into: &bytes)
      let position = try Block.body(of: bytes, .pieces).indices
      try bytes.withText { bytes in
        var column = ColumnReader(bytes.slice(position))
        while !column.isAtEnd { all.append(try BlockPiece(&column)) }
      }
    }
    return all + waiting
  }
}

extension BlockPiece {
  fileprivate func write(to column: ColumnWriter) {
    column.append(Int(kind.rawValue))
    column.append(partition)
    column.append(source)
    column.append(word: UInt64(bitPattern: start))
    column.append(count)
  }

  fileprivate init(_ column: inout ColumnReader) throws(BlockFault) {
    guard let kind = Block.Kind(rawValue: UInt16(try column.position(below: 1 << 16))) else { throw .damaged }
    self.init(
      kind: kind, partition: try column.position(below: 1 << 16), source: UInt32(try column.position(below: 1 << 32)),
      start: Int64(bitPattern: try column.word()), count: try column.position(below: 1 << 32))
  }
}
