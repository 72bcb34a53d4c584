import Platform

/// Reads the values of one column of one row group, with their levels.
struct LeafReader {
  private let node: SchemaNode
  private let kind: ValueKind
  private let position: (rowGroup: Int, column: String)
  private var pages: Pages
  /// NULL included.
  private var valuesLeft: Int64
  private var dictionary: Cells?
  private var hasBegun = false

  /// Of the page at hand.
  private var leftOfPage = 0
  private var repetitions = Levels()
  private var definitions = Levels()
  private var decoder: any ValueDecoder = NoValues()

  /// - Throws: `ParquetFault` that names the row group and the column.
  init(_ node: SchemaNode, _ chunk: ColumnChunk, rows: Int64, rowGroup: Int, file: RandomAccessFile) throws {
    position = (rowGroup, node.path)
    (self.node, valuesLeft) = (node, chunk.values)
    do {
      guard let kind = node.values else { throw ParquetFault("it is no column") }
      if case .other(let name) = kind.meaning {
        throw ParquetFault.unsupported("it holds \(name), which is not read; write it as text")
      }
      self.kind = kind
      pages = try Pages(chunk, of: file)
      guard chunk.type == kind.type.number else {
        throw ParquetFault("it is of another type than the file's columns say")
      }
      guard node.repetition == 0 ? chunk.values == rows : chunk.values >= rows else {
        throw ParquetFault("it has \(chunk.values) values for \(rows) rows")
      }
    } catch let fault as ParquetFault {
      throw fault.positioned(rowGroup, node.path)
    }
  }

  /// Reads the next values, at most `count`, and returns how many they are: their levels, and the texts of those that are
  /// there.
  ///
  /// - Throws: `ParquetFault` that names the row group and the column.
  mutating func read(
    _ count: Int, repetitions: inout [UInt8], definitions: inout [UInt8], cells: inout Cells
  ) throws -> Int {
    do {
      var read = 0
      while read < count, valuesLeft > 0 {
        if leftOfPage == 0 { try beginPage() }
        let accepted = min(count - read, leftOfPage)
        if node.repetition > 0 { try self.repetitions.append(accepted, to: &repetitions) }
        let first = definitions.count
        try self.definitions.append(accepted, to: &definitions)
        let present = definitions[first...].reduce(0) { $0 + ($1 == node.definition ? 1 : 0) }
        try decoder.append(present, to: &cells)
        guard cells.bytes.count <= Cells.mostBytes else {
          throw ParquetFault.unsupported("its values are too long to be read")
        }
        leftOfPage -= accepted
        valuesLeft -= Int64(accepted)
        read += accepted
      }
      return read
    } catch let fault as ParquetFault {
      throw fault.positioned(position.rowGroup, position.column)
    }
  }

  /// Finds the next page that has values.
  private mutating func beginPage() throws {
    while leftOfPage == 0 {
      guard let page = try pages.next() else { throw ParquetFault("its pages have fewer values than it is said to") }
      if page.header.kind == .dictionary {
        try readDictionary(page)
      } else {
        try begin(page)
      }
      hasBegun = true
    }
  }

  private mutating func readDictionary(_ page: Pages.Page) throws {
    guard !hasBegun else { throw ParquetFault("it has a dictionary behind its values") }
    guard page.header.encoding == 0 || page.header.encoding == 2 else {
      throw ParquetFault("its dictionary is in no encoding that is known")
    }
    // Each value takes a bit of the page at least.
    guard page.header.values <= page.bytes.count * 8 else {
      throw ParquetFault("its dictionary has fewer values than it is said to")
    }
    var values = try kind.decoder(plain: page.bytes[...])
    var cells = Cells()
    try values.append(page.header.values, to: &cells)
    dictionary = cells
  }

  private mutating func begin(_ page: Pages.Page) throws {
    let header = page.header
    guard Int64(header.values) <= valuesLeft else {
      throw ParquetFault("its pages have more values than it is said to")
    }
    leftOfPage = header.values
    guard leftOfPage > 0 else { return }
    var values = page.bytes[...]
    if header.kind == .dataV2 {
      let levels = page.levels
      let first = levels.prefix(header.repetitionSize)
      repetitions = node.repetition == 0 ? Levels() : try Levels(runs: first, most: node.repetition)
      definitions =
        node.definition == 0
        ? Levels() : try Levels(runs: levels.dropFirst(header.repetitionSize), most: node.definition)
    } else {
      repetitions = try Self.levels(&values, header.values, node.repetition, header.repetitionEncoding)
      definitions = try Self.levels(&values, header.values, node.definition, header.definitionEncoding)
    }
    decoder = try decoder(values, header)
  }

  /// Takes the levels from a page's beginning.
  private static func levels(
    _ bytes: inout ArraySlice<UInt8>, _ count: Int, _ most: UInt8, _ encoding: Int64
  ) throws -> Levels {
    guard most > 0 else { return Levels() }
    switch encoding {
    case 3: return try Levels(runs: readSized(&bytes), most: most)
    case 4:
      let size = (count * Levels.width(most) + 7) / 8
      guard size <= bytes.count else { throw ParquetFault("a page ends before its levels do") }
      defer { bytes = bytes.dropFirst(size) }
      return Levels(packed: bytes.prefix(size), most: most)
    default: throw ParquetFault("a page's levels are in no encoding that is known")
    }
  }

  /// Takes from a page's beginning as many bytes as the first four of them say.
  private static func readSized(_ bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    let size = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 4, size <= bytes.count - 4 else { throw ParquetFault("a page ends before its levels do") }
    defer { bytes = bytes.dropFirst(4 + size) }
    return bytes.dropFirst(4).prefix(size)
  }

  private func decoder(_ values: ArraySlice<UInt8>, _ header: PageHeader) throws -> any ValueDecoder {
    switch header.encoding {
    case 0: return try kind.decoder(plain: values)
    case 2, 8:
      // A page of NULL alone may lack the byte, and its column the dictionary.
      guard let width = values.first else { return NoValues() }
      return DictionaryValues(
        indices: try RunLengths(values.dropFirst(), width: Int(width)), dictionary: dictionary ?? Cells())
    case 3 where kind.type == .boolean:
      var rest = values
      if values.isEmpty { return NoValues() }
      return NumberValues(kind: kind, source: RunBooleans(try RunLengths(Self.readSized(&rest), width: 1)))
    case 5 where kind.type == .int32 || kind.type == .int64:
      guard !values.isEmpty else { return NoValues() }
      return NumberValues(kind: kind, source: try DeltaNumbers(values, isNarrow: kind.type == .int32))
    case 6 where kind.type == .bytes:
      return values.isEmpty
        ? NoValues() : StringValues(kind: kind, source: try DeltaLengthStrings(values, most: header.values))
    case 7 where kind.type.isString:
      guard !values.isEmpty else { return NoValues() }
      return StringValues(
        kind: kind, source: try DeltaStrings(values, most: header.values, width: kind.type.width))
    case 9 where kind.type.width != nil && kind.type != .int96:
      let width = kind.type.width ?? 1
      if kind.type.isString { return StringValues(kind: kind, source: SplitStrings(values, width: width)) }
      return NumberValues(kind: kind, source: SplitNumbers(values, width: width))
    case 10: throw ParquetFault.unsupported("it is in the encoding ALP, which is not read; write it in another")
    default: throw ParquetFault("a page is in no encoding that is known of its type")
    }
  }
}

extension ParquetFault {
  /// The same, with where it is.
  func positioned(_ rowGroup: Int, _ column: String) -> ParquetFault {
    var fault = self
    fault.rowGroup = fault.rowGroup ?? rowGroup
    fault.column = fault.column ?? column
    return fault
  }
}

extension ValueKind.Physical {
  /// Values are taken as bytes, not as a number.
  var isString: Bool {
    switch self {
    case .int96, .bytes, .fixed: true
    case .boolean, .int32, .int64, .float, .double: false
    }
  }

  /// As parquet.thrift numbers types.
  var number: Int64 {
    switch self {
    case .boolean: 0
    case .int32: 1
    case .int64: 2
    case .int96: 3
    case .float: 4
    case .double: 5
    case .bytes: 6
    case .fixed: 7
    }
  }
}
