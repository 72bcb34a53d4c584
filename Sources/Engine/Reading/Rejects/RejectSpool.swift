import Platform
import Synchronization

/// Where the lines of rejected rows wait until they are published: in memory while there is room, then on a disk, in a
/// file without a name, in blocks. Any number of threads may use it at once.
package final class RejectSpool: Sendable {
  private let limit: MemoryLimit?
  private let retained = Atomic<Int64>(0)
  /// Nil until something has no room in memory.
  private let file = Mutex<ScratchFile?>(nil)

  /// Where some lines are.
  enum Piece: Sendable {
    case memory([UInt8])
    case disk(start: Int64, count: Int)
  }

  /// - Parameter limit: how much memory the run may take; nil sets no limit.
  init(_ limit: MemoryLimit?) {
    self.limit = limit
  }

  /// How many bytes of lines are put in order at once.
  static let sortedBytes = 1 << 18
  /// The same of lines that come in no order at all, where runs of them all have to be merged.
  var shuffledBytes: Int { max(Self.sortedBytes, min(1 << 23, limit.map { Int($0.roomForRejects) } ?? .max)) }
  /// How many bytes of lines make a piece, about; that many of every run are in memory while runs are merged.
  static let pieceBytes = 1 << 16

  /// Keeps a piece.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where the disk does not take it.
  func retain(_ lines: ArraySlice<UInt8>) throws -> Piece {
    let block = Block.frame(.rejects, body: lines)
    let bytes = Int64(block.count)
    guard let limit, retained.add(bytes, ordering: .relaxed).newValue > limit.roomForRejects else {
      return .memory(block)
    }
    return try file.withLock { file in
      let disk = try file ?? ScratchFile(in: limit.folder)
      file = disk
      return .disk(start: try disk.append(block), count: block.count)
    }
  }

  /// A piece as it was kept: the block of its lines.
  ///
  /// - Throws: `OfferliftError` (74) where the disk does not give it back as it was.
  func block(_ piece: Piece) throws -> [UInt8] {
    switch piece {
    case .memory(let block): return block
    case .disk(let start, let count):
      guard let disk = file.withLock({ $0 }) else { return [] }
      var block = [UInt8](repeating: 0, count: count)
      try disk.read(from: start, into: &block)
      do throws(BlockFault) {
        guard try Block.head(block).kind == .rejects else { throw .misplaced }
        try Block.verify(block, count: count)
      } catch {
        throw error.ofTemporaryFile(in: disk.folder)
      }
      return block
    }
  }
}
