/// Reads Thrift's compact protocol, in which footers and the headers of pages are written.
///
/// Source: Apache Thrift, "Thrift Compact protocol encoding".
struct CompactReader {
  private let bytes: ArraySlice<UInt8>
  /// The place of the next byte.
  private(set) var at: Int

  /// Structures within structures: more than any footer has.
  private static let deepest = 32

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  /// The bytes end before what they hold does.
  struct Cut: Error {}

  /// What a field or an element is.
  enum Kind: UInt8 {
    case yes = 1
    case no, byte, int16, int32, int64, double, binary, list, set, map, structure
    /// A universally unique identifier, of sixteen bytes.
    case uuid
  }

  private static let damage = ParquetFault("its description is damaged")

  private mutating func byte() throws -> UInt8 {
    guard at < bytes.endIndex else { throw Cut() }
    defer { at += 1 }
    return bytes[at]
  }

  /// Seven bits a byte, the lowest first.
  private mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 { return value }
    }
    throw Self.damage
  }

  /// A signed number: zigzag.
  private mutating func number() throws -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  // MARK: - Structures

  /// Calls `body` with the number and the kind of each field of a structure; it takes the field and returns true, or
  /// returns false, and the field is passed over.
  mutating func forEachField(_ body: (inout CompactReader, Int16, Kind) throws -> Bool) throws {
    var last: Int16 = 0
    while true {
      let head = try byte()
      if head == 0 { return }
      guard let kind = Kind(rawValue: head & 0x0f) else { throw Self.damage }
      let step = Int16(head >> 4)
      if step == 0 {
        guard let number = Int16(exactly: try number()) else { throw Self.damage }
        last = number
      } else {
        let (number, isTooLarge) = last.addingReportingOverflow(step)
        guard !isTooLarge else { throw Self.damage }
        last = number
      }
      let start = at
      if try !body(&self, last, kind) {
        guard at == start else { throw Self.damage }
        try skip(kind, depth: 0)
      }
    }
  }

  mutating func int(_ kind: Kind) throws -> Int64 {
    switch kind {
    case .int16, .int32, .int64: return try number()
    case .byte: return Int64(Int8(bitPattern: try byte()))
    default: throw Self.damage
    }
  }

  func flag(_ kind: Kind) throws -> Bool {
    guard kind == .yes || kind == .no else { throw Self.damage }
    return kind == .yes
  }

  mutating func text(_ kind: Kind) throws -> String {
    guard kind == .binary else { throw Self.damage }
    let count = try length()
    defer { at += count }
    return String(decoding: bytes[at..<at + count], as: UTF8.self)
  }

  /// Calls `body` for each element of a list of structures, and says before how many there are.
  mutating func forEachStructure(
    _ kind: Kind, count: (Int) -> Void = { _ in }, _ body: (inout CompactReader) throws -> Void
  ) throws {
    guard kind == .list || kind == .set else { throw Self.damage }
    let (element, elements) = try listHead()
    guard elements == 0 || element == .structure else { throw Self.damage }
    count(elements)
    for _ in 0..<elements { try body(&self) }
  }

  func structure(_ kind: Kind) throws { guard kind == .structure else { throw Self.damage } }

  /// A length of which no more is claimed than there are bytes left.
  private mutating func length() throws -> Int {
    guard let count = Int(exactly: try varint()) else { throw Self.damage }
    guard count <= bytes.endIndex - at else { throw Cut() }
    return count
  }

  /// Each element takes a byte at least.
  private mutating func listHead() throws -> (Kind, Int) {
    let head = try byte()
    var count = Int(head >> 4)
    if count == 15 { count = try length() }
    guard count <= bytes.endIndex - at else { throw Cut() }
    // Empty lists of some writers have no kind of elements.
    guard let kind = Kind(rawValue: head & 0x0f) ?? (count == 0 ? .byte : nil) else { throw Self.damage }
    return (kind, count)
  }

  // MARK: - What is passed over

  private mutating func skip(_ kind: Kind, depth: Int, isElement: Bool = false) throws {
    guard depth < Self.deepest else { throw Self.damage }
    switch kind {
    case .yes, .no: if isElement { try skip(bytes: 1) }
    case .byte: try skip(bytes: 1)
    case .int16, .int32, .int64: _ = try varint()
    case .double: try skip(bytes: 8)
    case .uuid: try skip(bytes: 16)
    case .binary: try skip(bytes: try length())
    case .list, .set:
      let (element, count) = try listHead()
      for _ in 0..<count { try skip(element, depth: depth + 1, isElement: true) }
    case .map:
      let count = try length()
      guard count > 0 else { return }
      let kinds = try byte()
      guard let key = Kind(rawValue: kinds >> 4), let value = Kind(rawValue: kinds & 0x0f) else { throw Self.damage }
      for _ in 0..<count {
        try skip(key, depth: depth + 1, isElement: true)
        try skip(value, depth: depth + 1, isElement: true)
      }
    case .structure:
      while true {
        let head = try byte()
        if head == 0 { return }
        guard let field = Kind(rawValue: head & 0x0f) else { throw Self.damage }
        if head >> 4 == 0 { _ = try varint() }
        try skip(field, depth: depth + 1)
      }
    }
  }

  private mutating func skip(bytes count: Int) throws {
    guard count <= bytes.endIndex - at else { throw Cut() }
    at += count
  }
}
