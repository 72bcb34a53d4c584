import Platform

/// Numbers as they lie in a page: whole ones, the bits of others, 0 and 1 for booleans.
protocol NumberSource {
  /// Appends the next `count` of them.
  mutating func append(_ count: Int, to numbers: inout [Int64]) throws
}

extension DeltaNumbers: NumberSource {}

/// Numbers of four or eight bytes, one behind another: the encoding PLAIN.
struct PlainNumbers: NumberSource {
  private let bytes: ArraySlice<UInt8>
  private var at: Int
  private let width: Int

  init(_ bytes: ArraySlice<UInt8>, width: Int) {
    (self.bytes, at, self.width) = (bytes, bytes.startIndex, width)
  }

  mutating func append(_ count: Int, to numbers: inout [Int64]) throws {
    guard count <= (bytes.endIndex - at) / width else { throw ParquetFault("a page ends before its values do") }
    let part = bytes[at..<at + count * width]
    at += count * width
    LittleEndianNumbers.append(part, width: width, to: &numbers)
  }
}

/// The same, all first bytes before all second ones: the encoding BYTE_STREAM_SPLIT.
struct SplitNumbers: NumberSource {
  private let bytes: ArraySlice<UInt8>
  private var next = 0
  private let count: Int
  private let width: Int

  init(_ bytes: ArraySlice<UInt8>, width: Int) {
    (self.bytes, self.width) = (bytes, width)
    count = bytes.count / width
  }

  mutating func append(_ wanted: Int, to numbers: inout [Int64]) throws {
    guard wanted <= count - next else { throw ParquetFault("a page ends before its values do") }
    for number in next..<next + wanted {
      var value: UInt64 = 0
      for position in 0..<width {
        value |= UInt64(bytes[bytes.startIndex + position * count + number]) << UInt64(8 * position)
      }
      numbers.append(width == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value))
    }
    next += wanted
  }
}

/// Booleans, a bit each.
struct PlainBooleans: NumberSource {
  private var bits: PackedBits

  init(_ bytes: ArraySlice<UInt8>) { bits = PackedBits(bytes) }

  mutating func append(_ count: Int, to numbers: inout [Int64]) throws {
    for _ in 0..<count { numbers.append(Int64(try bits.next(1))) }
  }
}

/// Booleans in runs.
struct RunBooleans: NumberSource {
  private var runs: RunLengths

  init(_ runs: RunLengths) { self.runs = runs }

  mutating func append(_ count: Int, to numbers: inout [Int64]) throws {
    var found: [UInt32] = []
    try runs.append(count, to: &found)
    numbers.append(contentsOf: found.map(Int64.init))
  }
}
