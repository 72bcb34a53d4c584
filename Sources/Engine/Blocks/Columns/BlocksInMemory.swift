/// Blocks that this process has framed itself, each of which is given up once it has been read.
struct BlocksInMemory: BlockSource {
  private var blocks: [[UInt8]]
  private var position = 0

  init(_ blocks: [[UInt8]]) { self.blocks = blocks }

  var isAtEnd: Bool { position == blocks.count }

  mutating func next<Result>(_ body: (Block.Kind, Text) throws -> Result) throws -> Result {
    guard !isAtEnd else { throw BlockFault.cutOff }
    let bytes = blocks[position]
    blocks[position] = []
    position += 1
    let head = try Block.head(bytes)
    return try bytes.withText { try body(head.kind, $0.slice(Block.headSize..<Block.headSize + head.length)) }
  }
}
