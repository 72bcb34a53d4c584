/// Values of several bytes as they lie in a page.
protocol StringSource {
  /// Appends the next `count` of them.
  mutating func append(_ count: Int, to strings: inout ByteStrings) throws
}

extension ByteStrings {
  /// Ends a value; what many values of a page come to is bounded.
  fileprivate mutating func end() throws {
    guard bytes.count <= Cells.mostBytes else { throw ParquetFault.unsupported("its values are too long to be read") }
    ends.append(bytes.count)
  }
}

/// Values of any length behind their length, or of one length: the encoding PLAIN.
struct PlainStrings: StringSource {
  private let bytes: ArraySlice<UInt8>
  private var at: Int
  private let width: Int?

  init(_ bytes: ArraySlice<UInt8>, width: Int?) { (self.bytes, at, self.width) = (bytes, bytes.startIndex, width) }

  mutating func append(_ count: Int, to strings: inout ByteStrings) throws {
    for _ in 0..<count {
      let length = try width ?? self.length()
      guard length <= bytes.endIndex - at else { throw ParquetFault("a page ends before its values do") }
      strings.bytes.append(contentsOf: bytes[at..<at + length])
      at += length
      try strings.end()
    }
  }

  private mutating func length() throws -> Int {
    guard bytes.endIndex - at >= 4 else { throw ParquetFault("a page ends before its values do") }
    defer { at += 4 }
    return Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 24
  }
}

/// Values of one length, all first bytes before all second ones.
struct SplitStrings: StringSource {
  private let bytes: ArraySlice<UInt8>
  private var next = 0
  private let count: Int
  private let width: Int

  init(_ bytes: ArraySlice<UInt8>, width: Int) {
    (self.bytes, self.width) = (bytes, width)
    count = bytes.count / width
  }

  mutating func append(_ wanted: Int, to strings: inout ByteStrings) throws {
    guard wanted <= count - next else { throw ParquetFault("a page ends before its values do") }
    for number in next..<next + wanted {
      for position in 0..<width { strings.bytes.append(bytes[bytes.startIndex + position * count + number]) }
      try strings.end()
    }
    next += wanted
  }
}

/// All lengths before all values: the encoding DELTA_LENGTH_BYTE_ARRAY.
struct DeltaLengthStrings: StringSource {
  private let lengths: [Int64]
  private var next = 0
  private let bytes: ArraySlice<UInt8>
  private var at: Int

  /// - Parameter most: values of the page.
  init(_ page: ArraySlice<UInt8>, most: Int) throws {
    var numbers = try DeltaNumbers(page)
    lengths = try numbers.all(most: most)
    bytes = numbers.rest
    at = bytes.startIndex
  }

  /// The next value.
  fileprivate mutating func value() throws -> ArraySlice<UInt8> {
    guard next < lengths.count, lengths[next] >= 0, lengths[next] <= Int64(bytes.endIndex - at) else {
      throw ParquetFault("a page ends before its values do")
    }
    let end = at + Int(lengths[next])
    defer { (at, next) = (end, next + 1) }
    return bytes[at..<end]
  }

  mutating func append(_ count: Int, to strings: inout ByteStrings) throws {
    for _ in 0..<count {
      strings.bytes.append(contentsOf: try value())
      try strings.end()
    }
  }
}

/// Of each value how much of it is as the one before, and what follows that: the encoding DELTA_BYTE_ARRAY.
struct DeltaStrings: StringSource {
  private let shared: [Int64]
  private var next = 0
  private var suffixes: DeltaLengthStrings
  private var last: [UInt8] = []
  private let width: Int?

  init(_ page: ArraySlice<UInt8>, most: Int, width: Int?) throws {
    var numbers = try DeltaNumbers(page)
    shared = try numbers.all(most: most)
    suffixes = try DeltaLengthStrings(numbers.rest, most: most)
    self.width = width
  }

  mutating func append(_ count: Int, to strings: inout ByteStrings) throws {
    for _ in 0..<count {
      guard next < shared.count, (0...Int64(last.count)).contains(shared[next]) else {
        throw ParquetFault("a page's values are damaged")
      }
      last.removeLast(last.count - Int(shared[next]))
      last.append(contentsOf: try suffixes.value())
      guard width == nil || last.count == width else { throw ParquetFault("a page's values are damaged") }
      next += 1
      strings.bytes.append(contentsOf: last)
      try strings.end()
    }
  }
}

extension DeltaNumbers {
  /// All numbers of a page that has no more than `most` values.
  fileprivate mutating func all(most: Int) throws -> [Int64] {
    // So many lengths of values are held at once.
    guard total <= most, total <= 1 << 26 else { throw ParquetFault("a page has more numbers than values") }
    var numbers: [Int64] = []
    try append(total, to: &numbers)
    return numbers
  }
}
