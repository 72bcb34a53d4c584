import Synchronization

/// Blocks that stay in memory.
final class CollectedBlocks: Sendable {
  private let blocks = Mutex<[[UInt8]]>([])

  func append(_ block: [UInt8]) { blocks.withLock { $0.append(block) } }

  var all: [[UInt8]] { blocks.withLock { $0 } }
}
