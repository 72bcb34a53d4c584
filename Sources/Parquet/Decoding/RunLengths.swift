/// Small numbers in runs: repeated ones, and ones packed bit by bit.
///
/// Source: Apache Parquet, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
struct RunLengths {
  private var bits: PackedBits
  /// Bits a number.
  private let width: Int
  /// Numbers left of the run at hand.
  private var left = 0
  /// The run's number; nil where they are packed.
  private var repeated: UInt32?

  /// - Throws: `ParquetFault` where numbers are said to have more than 32 bits.
  init(_ bytes: ArraySlice<UInt8>, width: Int) throws {
    guard (0...32).contains(width) else { throw ParquetFault("a page's numbers are said to have \(width) bits") }
    bits = PackedBits(bytes)
    self.width = width
  }

  /// Appends the next `count` numbers.
  mutating func append(_ count: Int, to numbers: inout [UInt32]) throws {
    // All of them are 0, and some writers leave it at that.
    if width == 0 { return numbers.append(contentsOf: repeatElement(0, count: count)) }
    var wanted = count
    while wanted > 0 {
      if left == 0 { try beginRun() }
      let accepted = min(wanted, left)
      if let repeated {
        numbers.append(contentsOf: repeatElement(repeated, count: accepted))
      } else {
        for _ in 0..<accepted { numbers.append(UInt32(truncatingIfNeeded: try bits.next(width))) }
      }
      (wanted, left) = (wanted - accepted, left - accepted)
    }
  }

  private mutating func beginRun() throws {
    bits.align()
    let head = try bits.varint()
    guard head >> 1 > 0, head >> 1 <= UInt64(Int32.max) else { throw ParquetFault("a run of a page is damaged") }
    if head & 1 == 1 {
      (left, repeated) = (Int(head >> 1) * 8, nil)
    } else {
      var value: UInt32 = 0
      for position in 0..<(width + 7) / 8 { value |= UInt32(try bits.byte()) << UInt32(8 * position) }
      guard width == 32 || value >> UInt32(width) == 0 else { throw ParquetFault("a run of a page is damaged") }
      (left, repeated) = (Int(head >> 1), value)
    }
  }
}

/// Bytes, and numbers of so many bits in them, the lowest bits first.
struct PackedBits {
  private let bytes: [UInt8]
  private(set) var at: Int
  private let end: Int
  /// Bits that were taken of the bytes, and not handed on.
  private var waiting: UInt64 = 0
  private var count = 0

  init(_ bytes: ArraySlice<UInt8>) {
    // A slice of a whole array is that array: nothing is copied.
    self.bytes = Array(bytes)
    (at, end) = (0, self.bytes.count)
  }

  private static let cut = ParquetFault("a page ends before its values do")

  @inline(__always)
  mutating func byte() throws -> UInt8 {
    guard at < end else { throw Self.cut }
    defer { at += 1 }
    return bytes[at]
  }

  /// The next number of 1 to 64 bits.
  @inline(__always)
  mutating func next(_ width: Int) throws -> UInt64 {
    if width > 56 { return try nextWide(width) }
    while count < width {
      waiting |= UInt64(try byte()) << UInt64(count)
      count += 8
    }
    defer {
      waiting >>= UInt64(width)
      count -= width
    }
    return waiting & (1 << UInt64(width) - 1)
  }

  private mutating func nextWide(_ width: Int) throws -> UInt64 {
    let low = try next(32)
    return low | (try next(width - 32)) << 32
  }

  /// Drops the bits up to the next byte.
  mutating func align() { (waiting, count) = (0, 0) }

  /// Goes to a place, or to the end where that is before it.
  mutating func move(to position: Int) {
    align()
    at = min(max(position, at), end)
  }

  /// Seven bits a byte, the lowest first.
  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 { return value }
    }
    throw ParquetFault("a number of a page is damaged")
  }

  /// A signed number: zigzag.
  mutating func zigzag() throws -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// What is left.
  var rest: ArraySlice<UInt8> { bytes[at..<end] }
}
