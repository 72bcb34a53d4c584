/// Numbers for values, 0, 1, 2 … in the order they came; those that are equal byte by byte share one.
///
/// The values' type must have no padding, whose bytes say nothing.
struct ValueTable<Value: BitwiseCopyable> {
  private let table: ByteTable

  /// - Parameter expected: about how many there will be.
  init(expected: Int) {
    table = ByteTable(expected: expected, bytesEach: MemoryLayout<Value>.size)
  }

  var count: Int { table.count }

  /// Forgets the values and keeps their memory.
  func removeAll() { table.removeAll() }

  /// The value's number, a new one where it was not there.
  @inline(__always)
  func number(of value: Value) -> Int {
    withUnsafeBytes(of: value) { bytes in
      let text = Text(unsafeBytes: bytes.assumingMemoryBound(to: UInt8.self))
      return table.insert(text, hash: ByteHash.hash64(text))
    }
  }
}
