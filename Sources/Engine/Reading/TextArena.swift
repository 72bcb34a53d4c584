/// Room for text that does not stand in the file as it is (escapes undone, quotes undoubled), kept for the
/// length of one batch. Blocks stay where they are, because fields point into them.
final class TextArena {
  private var blocks: [UnsafeMutablePointer<UInt8>] = []
  private var size = 0
  private var used = 0

  private static let blockSize = 1 << 16

  deinit { blocks.forEach { $0.deallocate() } }

  /// Forgets all text.
  func clear() {
    for block in blocks.dropLast() { block.deallocate() }
    blocks.removeFirst(max(0, blocks.count - 1))
    used = 0
  }

  /// Room for `count` bytes.
  func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if blocks.isEmpty || size - used < count {
      size = max(count, Self.blockSize)
      blocks.append(.allocate(capacity: size))
      used = 0
    }
    defer { used += count }
    return blocks[blocks.count - 1] + used
  }

  /// A copy of `bytes`.
  func copy(_ bytes: some Collection<UInt8>) -> UnsafeMutablePointer<UInt8> {
    let place = reserve(bytes.count)
    _ = UnsafeMutableBufferPointer(start: place, count: bytes.count).initialize(fromContentsOf: bytes)
    return place
  }
}
