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

  /// Goes to the block that begins at a byte.
  ///
  /// - Throws: as `FileReader.move`.
  func move(to byte: Int64) throws { try file.move(to: byte) }

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

/// The same of an entry whose events are told later: of a block of these no more than its head is read, which no checksum
/// stands for yet.
struct BlockOutline: BlockSource {
  private var blocks: BlockFile
  private let file: FileReader
  private var bytes: [UInt8] = []
  private var next: Int64 = 0
  /// Where each block of events begins, and how.
  private(set) var heads: [(position: Int64, head: EventBlock.Head)] = []

  /// - Throws: as `BlockFile`.
  init(_ path: String) throws {
    (blocks, file) = (try BlockFile(path), try FileReader(path, displayName: path))
  }

  var isAtEnd: Bool { file.bytesLeft == 0 }

  mutating func next<Result>(_ body: (Block.Kind, Text) throws -> Result) throws -> Result {
    let position = next
    let count = try file.read(into: &bytes, upTo: Block.headSize + EventBlock.Head.longest)
    guard count >= Block.headSize else { throw BlockFault.cutOff }
    let head = try Block.head(bytes)
    next += Int64(Block.headSize + head.length + Block.tailSize)
    try file.move(to: next)
    guard head.kind == .events else {
      try blocks.move(to: position)
      return try blocks.next(body)
    }
    return try bytes.withText { bytes in
      let start = bytes.slice(Block.headSize..<min(count, Block.headSize + head.length))
      var column = ColumnReader(start)
      heads.append((position, try EventBlock.Head(&column)))
      return try body(head.kind, start)
    }
  }
}
