/// Makes texts of a page's values.
protocol ValueDecoder {
  /// Appends the next `count` values, none of which is NULL in the page.
  mutating func append(_ count: Int, to cells: inout Cells) throws
}

/// A page without values.
struct NoValues: ValueDecoder {
  mutating func append(_ count: Int, to cells: inout Cells) throws {
    if count > 0 { throw ParquetFault("a page ends before its values do") }
  }
}

struct NumberValues<Source: NumberSource>: ValueDecoder {
  let kind: ValueKind
  var source: Source
  private var numbers: [Int64] = []

  init(kind: ValueKind, source: Source) { (self.kind, self.source) = (kind, source) }

  mutating func append(_ count: Int, to cells: inout Cells) throws {
    numbers.removeAll(keepingCapacity: true)
    try source.append(count, to: &numbers)
    for number in numbers {
      var isThere = true
      cells.append { isThere = ValueText.append(number, kind, to: &$0) }
      if !isThere { cells.makeLastNull() }
    }
  }
}

struct StringValues<Source: StringSource>: ValueDecoder {
  let kind: ValueKind
  var source: Source
  private var strings = ByteStrings()

  init(kind: ValueKind, source: Source) { (self.kind, self.source) = (kind, source) }

  mutating func append(_ count: Int, to cells: inout Cells) throws {
    strings.removeAll()
    try source.append(count, to: &strings)
    if kind.meaning == .text || kind.meaning == .bytes { return cells.append(strings) }
    var start = 0
    for end in strings.ends {
      var isThere = true
      try cells.append { isThere = try ValueText.append(strings.bytes[start..<end], kind, to: &$0) }
      if !isThere { cells.makeLastNull() }
      start = end
    }
  }
}

/// Values by their place in the column's dictionary, whose texts are made once.
struct DictionaryValues: ValueDecoder {
  private var indices: RunLengths
  private let dictionary: Cells
  private var numbers: [UInt32] = []

  init(indices: RunLengths, dictionary: Cells) { (self.indices, self.dictionary) = (indices, dictionary) }

  mutating func append(_ count: Int, to cells: inout Cells) throws {
    numbers.removeAll(keepingCapacity: true)
    try indices.append(count, to: &numbers)
    guard cells.append(numbers, of: dictionary) else {
      throw ParquetFault("a page names a value that its dictionary lacks")
    }
  }
}

extension ValueKind {
  /// Of values in the encoding PLAIN.
  func decoder(plain bytes: ArraySlice<UInt8>) throws -> any ValueDecoder {
    switch type {
    case .boolean: NumberValues(kind: self, source: PlainBooleans(bytes))
    case .int32, .float: NumberValues(kind: self, source: PlainNumbers(bytes, width: 4))
    case .int64, .double: NumberValues(kind: self, source: PlainNumbers(bytes, width: 8))
    case .int96, .bytes, .fixed: StringValues(kind: self, source: PlainStrings(bytes, width: type.width))
    }
  }
}
