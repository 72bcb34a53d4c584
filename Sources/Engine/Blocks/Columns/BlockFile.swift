import Domain
import Platform

/// Blocks, one behind another, read from the first on.
protocol BlockSource {
  /// Every block has been read.
  var isAtEnd: Bool { get }

  /// Calls `body` with the kind and the body of the next block, whose bytes live as long as the call.
  ///
  /// - Throws: `BlockFault` where there is no sound block; `OfferliftError`, exit 74, where it cannot be read; and what
  ///   `body` throws.
  mutating func next<Result>(_ body: (Block.Kind, Text) throws -> Result) throws -> Result
}

/// A file of blocks, read block by block into memory that is used again for each.
struct BlockFile: BlockSource {
  private let file: FileReader
  private var bytes: [UInt8] = []

  /// - Throws: `OfferliftError`, exit 66, where the file cannot be opened.
  init(_ path: String) throws {
    file = try FileReader(path, displayName: path)
  }

  var isAtEnd: Bool { file.bytesLeft == 0 }

  /// Goes back to the first block.
  ///
  /// - Throws: as `FileReader.rewind`.
  func rewind() throws { try file.rewind() }

  mutating func next<Result>(_ body: (Block.Kind, Text) throws -> Result) throws -> Result {
    guard try file.read(into: &bytes, upTo: Block.headSize) == Block.headSize else { throw BlockFault.cutOff }
    let head = try Block.head(bytes)
    let rest = head.length + Block.tailSize
    guard Int64(rest) <= file.bytesLeft, try file.read(into: &bytes, at: Block.headSize, upTo: rest) == rest else {
      throw BlockFault.cutOff
    }
    try Block.verify(bytes, count: Block.headSize + rest)
    return try bytes.withText { try body(head.kind, $0.slice(Block.headSize..<Block.headSize + head.length)) }
  }
}
