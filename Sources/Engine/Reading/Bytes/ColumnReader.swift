/// Reads the values of one column of a block, in the order they were written.
///
/// It never looks beyond the column's end. Its texts point into the block's bytes and live as long as those.
struct ColumnReader {
  private let unsafeBytes: UnsafeBufferPointer<UInt8>
  private var next = 0

  /// - Parameter column: the column's bytes, which outlive the reader.
  init(_ column: Text) {
    unsafeBytes = column.unsafeBytes
  }

  /// Every value has been read.
  var isAtEnd: Bool { next == unsafeBytes.count }

  /// How many bytes are left.
  var bytesLeft: Int { unsafeBytes.count - next }

  /// Reads a number from 0.
  ///
  /// - Throws: `BlockFault.cutOff` behind the last value, `.damaged` where a number has more than 64 bits.
  @inline(__always)
  mutating func number() throws(BlockFault) -> UInt64 {
    guard next < unsafeBytes.count else { throw .cutOff }
    let first = unsafeBytes[next]
    next += 1
    return first < 0x80 ? UInt64(first) : try number(beginningWith: UInt64(first & 0x7f))
  }

  @inline(__always)
  private mutating func number(beginningWith first: UInt64) throws(BlockFault) -> UInt64 {
    var (value, shift) = (first, UInt64(7))
    while next < unsafeBytes.count, shift < 64 {
      let byte = UInt64(unsafeBytes[next])
      next += 1
      value |= (byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw isAtEnd ? .cutOff : .damaged
  }

  /// Reads a number from 0 that is below `limit`: the place of something.
  @inline(__always)
  mutating func position(below limit: Int) throws(BlockFault) -> Int {
    let number = try number()
    guard number < UInt64(limit) else { throw .damaged }
    return Int(truncatingIfNeeded: number)
  }

  /// Reads how often something came: so seldom that sums of such numbers need no look at them.
  mutating func count() throws(BlockFault) -> Int { try position(below: Self.most) }

  /// Nothing in a file comes as often.
  private static let most = 1 << 47

  /// Reads how many things follow, each of which takes a byte or more.
  mutating func length() throws(BlockFault) -> Int {
    let number = try number()
    guard number <= UInt64(bytesLeft) else { throw .cutOff }
    return Int(number)
  }

  /// Reads a number of either sign.
  @inline(__always)
  mutating func signed() throws(BlockFault) -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads how long a time is after another, and returns it, in milliseconds since 1970.
  ///
  /// - Throws: `BlockFault.damaged` also where it is later, or earlier, than any format tells: times are subtracted
  ///   without a look at them.
  @inline(__always)
  mutating func time(after other: Int64 = 0) throws(BlockFault) -> Int64 {
    let time = other &+ (try signed())
    guard time.magnitude < Self.farthest else { throw .damaged }
    return time
  }

  /// No time is further from 1970, in milliseconds: the year 9999 is not.
  static var farthest: UInt64 { 1 << 48 }

  /// Reads eight bytes, the lowest first.
  @inline(__always)
  mutating func word() throws(BlockFault) -> UInt64 {
    guard bytesLeft >= 8 else { throw .cutOff }
    defer { next += 8 }
    return UInt64(
      littleEndian: UnsafeRawBufferPointer(unsafeBytes).loadUnaligned(fromByteOffset: next, as: UInt64.self))
  }

  /// Reads a value's own bytes, of which every one may be anything.
  @inline(__always)
  mutating func value<Value: Gapless>(of type: Value.Type) throws(BlockFault) -> Value {
    let size = MemoryLayout<Value>.size
    guard bytesLeft >= size else { throw .cutOff }
    defer { next += size }
    return UnsafeRawBufferPointer(unsafeBytes).loadUnaligned(fromByteOffset: next, as: Value.self)
  }

  /// How many bytes have been read.
  var bytesRead: Int { next }

  /// Reads so many bytes.
  @inline(__always)
  mutating func bytes(_ count: Int) throws(BlockFault) -> Text {
    guard count >= 0, count <= bytesLeft else { throw .cutOff }
    defer { next += count }
    return Text(unsafeBytes: UnsafeBufferPointer(rebasing: unsafeBytes[next..<next + count]))
  }

  /// Reads a text behind the number of its bytes.
  mutating func text() throws(BlockFault) -> Text { try bytes(try length()) }

  /// Reads a text behind the number of its bytes.
  mutating func string() throws(BlockFault) -> String { String(decoding: try text(), as: UTF8.self) }
}
