import Domain

/// The values of one column of a block, one behind another, as they are written.
///
/// A number is written as a varint: seven bits a byte from the lowest on, the upper bit set in every byte but the last.
final class ColumnWriter {
  /// How many bytes there are.
  private(set) var count = 0
  private var capacity = 1 << 8
  private var unsafeBytes: UnsafeMutablePointer<UInt8>

  /// The most bytes that a number takes.
  private static let longestNumber = 10

  init() {
    unsafeBytes = .allocate(capacity: capacity)
  }

  deinit {
    unsafeBytes.deallocate()
  }

  /// Forgets all values.
  func clear() { count = 0 }

  /// Writes a number from 0.
  @inline(__always)
  func append(_ number: UInt64) {
    if capacity - count < Self.longestNumber { grow(Self.longestNumber) }
    var rest = number
    while rest >= 0x80 {
      unsafeBytes[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    unsafeBytes[count] = UInt8(truncatingIfNeeded: rest)
    count += 1
  }

  /// Writes a number from 0.
  @inline(__always)
  func append(_ number: UInt32) { append(UInt64(number)) }

  /// Writes a number from 0.
  func append(_ number: Int) { append(UInt64(number)) }

  /// Writes a number of either sign: 0, −1, 1, −2 … as 0, 1, 2, 3 …
  @inline(__always)
  func append(signed number: Int64) { append(UInt64(bitPattern: number << 1 ^ number >> 63)) }

  /// Writes eight bytes, the lowest first.
  @inline(__always)
  func append(word: UInt64) {
    if capacity - count < 8 { grow(8) }
    UnsafeMutableRawPointer(unsafeBytes + count).storeBytes(of: word.littleEndian, as: UInt64.self)
    count += 8
  }

  /// Writes the lowest bytes of a number, the lowest first.
  @inline(__always)
  func append(_ number: UInt32, width: Int) {
    if capacity - count < 4 { grow(4) }
    UnsafeMutableRawPointer(unsafeBytes + count).storeBytes(of: number.littleEndian, as: UInt32.self)
    count += width
  }

  /// Writes a value's own bytes.
  @inline(__always)
  func append<Value: Gapless>(bytesOf value: Value) {
    let size = MemoryLayout<Value>.size
    if capacity - count < size { grow(size) }
    UnsafeMutableRawPointer(unsafeBytes + count).storeBytes(of: value, as: Value.self)
    count += size
  }

  /// Writes a text's bytes, but not how many there are.
  @inline(__always)
  func append(bytes text: Text) {
    guard let base = text.unsafeBytes.baseAddress, text.count > 0 else { return }
    if capacity - count < text.count { grow(text.count) }
    (unsafeBytes + count).update(from: base, count: text.count)
    count += text.count
  }

  /// Writes how many bytes a text has, and the bytes.
  func append(_ text: Text) {
    append(text.count)
    append(bytes: text)
  }

  /// Writes how many bytes a text has, and the bytes.
  func append(_ bytes: [UInt8]) { bytes.withText { append($0) } }

  /// Writes how many bytes a text has, and the bytes.
  func append(_ text: String) { append(Array(text.utf8)) }

  /// Calls `body` with the bytes so far, which live as long as the call.
  func bytes(_ body: (Text) -> Void) {
    body(Text(unsafeBytes: UnsafeBufferPointer(start: unsafeBytes, count: count)))
  }

  /// Adds the column's bytes to those of a block.
  func add(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: unsafeBytes, count: count))
  }

  private func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    new.update(from: unsafeBytes, count: count)
    unsafeBytes.deallocate()
    (unsafeBytes, capacity) = (new, larger)
  }
}
