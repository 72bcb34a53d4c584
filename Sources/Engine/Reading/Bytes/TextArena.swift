import CJSON

/// Room for text that does not stand in the file as it is (escapes undone, quotes undoubled), kept for the
/// length of one batch. Blocks stay where they are, because fields point into them.
///
/// Behind every text a reader may read on as far as it wants to, so that JSON within a text can be read where it lies.
final class TextArena {
  private var unsafeBlocks: [UnsafeMutablePointer<UInt8>] = []
  /// Bytes of the last block that texts may take, and those taken.
  private var size = 0
  private var used = 0

  private static let blockSize = 1 << 16

  deinit { unsafeBlocks.forEach { $0.deallocate() } }

  /// Forgets all text.
  func clear() {
    for block in unsafeBlocks.dropLast() { block.deallocate() }
    unsafeBlocks.removeFirst(max(0, unsafeBlocks.count - 1))
    used = 0
  }

  /// A copy of `bytes`.
  func copy(_ bytes: some Collection<UInt8>) -> Text {
    let position = reserve(bytes.count)
    _ = position.initialize(fromContentsOf: bytes)
    return Text(unsafeBytes: UnsafeBufferPointer(position))
  }

  /// The text that `body` writes, of at most `capacity` bytes; nil where it returns false.
  func write(atMost capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Bool) -> Text? {
    let position = reserve(capacity)
    var output = OutputSpan(buffer: position, initializedCount: 0)
    let isWritten = body(&output)
    let count = output.finalize(for: position)
    return isWritten ? Text(unsafeBytes: UnsafeBufferPointer(rebasing: position[..<count])) : nil
  }

  /// A UUID, written out.
  @inline(__always)
  func write(_ uuid: PackedUUID) -> Text {
    let position = reserve(UUIDText.count)
    if let start = position.baseAddress { uuid.write(to: start) }
    return Text(unsafeBytes: UnsafeBufferPointer(position))
  }

  @inline(__always)
  private func reserve(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if unsafeBlocks.isEmpty || size - used < count {
      size = max(count, Self.blockSize)
      unsafeBlocks.append(.allocate(capacity: size + ol_json_padding()))
      used = 0
    }
    defer { used += count }
    return UnsafeMutableBufferPointer(start: unsafeBlocks[unsafeBlocks.count - 1] + used, count: count)
  }
}
