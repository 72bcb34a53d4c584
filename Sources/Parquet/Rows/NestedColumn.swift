/// A group, a list or a map, row by row, as JSON has it.
///
/// Source: Melnik and others, "Dremel: Interactive Analysis of Web-Scale Datasets", section 4, for the levels;
/// LogicalTypes.md, "Nested Types", for lists and maps.
struct NestedColumn: ColumnReader {
  private let node: SchemaNode
  private var leaves: [LeafCursor]
  private let rowGroup: Int

  init(_ node: SchemaNode, _ leaves: [LeafCursor], rowGroup: Int) {
    (self.node, self.leaves, self.rowGroup) = (node, leaves, rowGroup)
  }

  private var damage: ParquetFault {
    ParquetFault("the levels of its values do not fit").positioned(rowGroup, node.path)
  }

  mutating func read(_ rows: Int, into cells: inout Cells) throws {
    for _ in 0..<rows {
      for leaf in leaves.indices {
        guard try leaves[leaf].repetition() == 0 else { throw damage }
      }
      if try !isThere(node), !node.isRepeated {
        readAll(node)
        cells.appendNull()
      } else {
        try cells.append { bytes in try write(node, to: &bytes) }
      }
      guard cells.bytes.count <= Cells.mostBytes else {
        throw ParquetFault.unsupported("its values are too long to be read").positioned(rowGroup, node.path)
      }
    }
  }

  mutating func finish() throws {
    for leaf in leaves.indices {
      guard try leaves[leaf].repetition() == nil else { throw damage }
    }
  }

  /// The columns of a group, by their place among those read here.
  private func leaves(of part: SchemaNode) -> Range<Int> {
    part.leaves.lowerBound - node.leaves.lowerBound..<part.leaves.upperBound - node.leaves.lowerBound
  }

  /// Whether the next value of a group, all of whose columns agree, is not NULL, or a list is not empty.
  private mutating func isThere(_ part: SchemaNode) throws -> Bool {
    var answer: Bool?
    for leaf in leaves(of: part) {
      guard let definition = try leaves[leaf].definition(),
        answer ?? (definition >= part.definition) == (definition >= part.definition)
      else { throw damage }
      answer = definition >= part.definition
    }
    return answer ?? false
  }

  /// Whether another element follows, of which all columns agree.
  private mutating func goesOn(_ repeated: SchemaNode) throws -> Bool {
    var answer: Bool?
    for leaf in leaves(of: repeated) {
      let follows = try leaves[leaf].repetition() == repeated.repetition
      guard answer ?? follows == follows else { throw damage }
      answer = follows
    }
    return answer ?? false
  }

  private mutating func readAll(_ part: SchemaNode) {
    for leaf in leaves(of: part) { _ = leaves[leaf].accept(part) }
  }

  /// Writes a group's next value, whatever it is repeated by.
  private mutating func write(_ part: SchemaNode, to bytes: inout [UInt8]) throws {
    guard part.isRepeated else { return try writeValue(part, to: &bytes) }
    try writeElements(of: part, ("[", "]"), to: &bytes) { rows, bytes in try rows.writeValue(part, to: &bytes) }
  }

  /// Writes what is repeated, one by one.
  private mutating func writeElements(
    of repeated: SchemaNode, _ brackets: (StaticString, StaticString), to bytes: inout [UInt8],
    _ body: (inout NestedColumn, inout [UInt8]) throws -> Void
  ) throws {
    bytes.append(brackets.0)
    if try isThere(repeated) {
      try body(&self, &bytes)
      while try goesOn(repeated) {
        bytes.append(UInt8(ascii: ","))
        try body(&self, &bytes)
        guard bytes.count <= Cells.mostBytes else {
          throw ParquetFault.unsupported("its values are too long to be read").positioned(rowGroup, node.path)
        }
      }
    } else {
      readAll(repeated)
    }
    bytes.append(brackets.1)
  }

  /// Writes one value of a group or a column: of something repeated, one element.
  private mutating func writeValue(_ part: SchemaNode, to bytes: inout [UInt8]) throws {
    guard try isThere(part) else {
      readAll(part)
      return bytes.append("null")
    }
    if let values = part.values { return try writeLeaf(part, values, to: &bytes) }
    if let element = part.element, let repeated = part.children.first {
      return try writeElements(of: repeated, ("[", "]"), to: &bytes) { rows, bytes in
        try rows.writeValue(element, to: &bytes)
      }
    }
    if part.collection == .map, let entry = part.children.first, entry.children[0].values != nil {
      return try writeElements(of: entry, ("{", "}"), to: &bytes) { rows, bytes in
        try rows.writeKey(entry.children[0], to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        try rows.write(entry.children[1], to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "{"))
    for (number, child) in part.children.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(quoted: Array(child.name.utf8)[...])
      bytes.append(UInt8(ascii: ":"))
      try write(child, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func writeLeaf(_ part: SchemaNode, _ values: ValueKind, to bytes: inout [UInt8]) throws {
    let position = leaves(of: part).lowerBound
    guard try leaves[position].definition() != nil, let cell = leaves[position].accept(part),
      !leaves[position].cells.isNull[cell]
    else { return bytes.append("null") }
    let text = leaves[position].cells.bytes[leaves[position].cells.range(cell)]
    // JSON has no number for `inf`.
    if values.isTextInJSON || text.last == UInt8(ascii: "f") {
      bytes.append(quoted: text)
    } else {
      bytes.append(contentsOf: text)
    }
  }

  private mutating func writeKey(_ part: SchemaNode, to bytes: inout [UInt8]) throws {
    guard try isThere(part) else { throw damage }
    let position = leaves(of: part).lowerBound
    guard let cell = leaves[position].accept(part) else { throw damage }
    bytes.append(quoted: leaves[position].cells.bytes[leaves[position].cells.range(cell)])
  }
}

extension ValueKind {
  fileprivate var isTextInJSON: Bool {
    switch meaning {
    case .boolean, .integer, .unsigned32, .unsigned64, .float, .double, .half, .decimal: false
    case .date, .time, .timestamp, .julianTimestamp, .text, .uuid, .bytes, .other: true
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// A text as JSON has it: RFC 8259, section 7.
  fileprivate mutating func append(quoted text: ArraySlice<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        append("\\u00")
        append(digits[Int(byte >> 4)])
        append(digits[Int(byte & 15)])
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
