import Statistics

/// Reads the values of a `PackedCoding`, one behind another.
final class PackedReader {
  var column: ColumnReader
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// Sums may take all of 128 bits: whoever adds them up reports when they do.
  private(set) var acceptsAnySum = false
  /// The names of members so far, by number from 1.
  private var names: [String] = []
  /// What is open, the innermost last: whether it has members or elements, whose end is to come.
  private var needsEnd: [Bool] = []
  /// The name of the member that comes next, where it has been looked at.
  private var next: Next?
  /// What was wrong where a decoder looked for a member or an element, which it cannot be told there.
  private var fault: (any Error)?

  private enum Next {
    case end, member(String)
  }

  init(_ text: Text, userInfo: [CodingUserInfoKey: any Sendable]) {
    column = ColumnReader(text)
    self.userInfo = userInfo
  }

  func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let packed = type as? any PackedValue.Type, let value = try packed.unpack(from: self) as? Value { return value }
    guard type == SufficientStatistics.self else { return try readParts(type) }
    acceptsAnySum = true
    defer { acceptsAnySum = false }
    let value = try readParts(type)
    guard let sums = value as? SufficientStatistics, sums.n.magnitude < 1 << 47 else { throw BlockFault.damaged }
    return value
  }

  private func readParts<Value: Decodable>(_ type: Value.Type) throws -> Value {
    needsEnd.append(false)
    let value = try Value(from: PackedDecoder(reader: self))
    if let fault { throw fault }
    if needsEnd.removeLast() {
      guard case .end = try peek() else { throw BlockFault.damaged }
      next = nil
    }
    return value
  }

  fileprivate func open() { needsEnd[needsEnd.count - 1] = true }

  /// Whether a member of that name comes next; an element has none.
  fileprivate func comes(_ name: String = "") throws -> Bool {
    if case .member(name) = try peek() { true } else { false }
  }

  /// The same; where that cannot be read, none comes, and whoever reads the value is told.
  fileprivate func seemsToCome(_ name: String = "") -> Bool {
    do { return try comes(name) } catch {
      fault = fault ?? error
      return false
    }
  }

  /// Begins the member that comes next.
  fileprivate func begin(_ name: String = "") throws {
    guard try comes(name) else { throw BlockFault.damaged }
    next = nil
  }

  private func peek() throws -> Next {
    if let next { return next }
    let number = try column.position(below: names.count + 2)
    if number > names.count { names.append(try column.string()) }
    let found = number == 0 ? Next.end : .member(names[number - 1])
    next = found
    return found
  }
}

/// A value that is being read.
private struct PackedDecoder: Decoder {
  let reader: PackedReader

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    reader.open()
    return KeyedDecodingContainer(PackedMembers(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    reader.open()
    return PackedElements(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { PackedSingle(reader: reader) }
}

private struct PackedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PackedDecoder

  var codingPath: [any CodingKey] { [] }
  /// Types ask for the members that they know.
  var allKeys: [Key] { preconditionFailure("dictionaries are values of their own") }

  func contains(_ key: Key) -> Bool { decoder.reader.seemsToCome(key.stringValue) }
  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.reader.begin(key.stringValue)
    return try decoder.reader.read(type)
  }

  // The library has a method of its own for these, which reads none.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoder.reader.begin(key.stringValue)
    return try Int128.unpack(from: decoder.reader)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { preconditionFailure("a member is a value of its own") }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    preconditionFailure("a member is a value of its own")
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct PackedElements: UnkeyedDecodingContainer {
  let decoder: PackedDecoder
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { !decoder.reader.seemsToCome() }

  init(decoder: PackedDecoder) { self.decoder = decoder }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.reader.begin()
    currentIndex += 1
    return try decoder.reader.read(type)
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try decoder.reader.begin()
    currentIndex += 1
    return try Int128.unpack(from: decoder.reader)
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    preconditionFailure("an element is a value of its own")
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    preconditionFailure("an element is a value of its own")
  }

  mutating func superDecoder() -> any Decoder { decoder }
}

private struct PackedSingle: SingleValueDecodingContainer {
  let reader: PackedReader

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.read(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try Int128.unpack(from: reader) }
}
