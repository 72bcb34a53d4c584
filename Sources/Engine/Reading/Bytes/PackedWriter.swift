/// Writes the values of a `PackedCoding`, one behind another.
final class PackedWriter {
  let column = ColumnWriter()
  /// Numbers of the names of members, from 1.
  private var names: [String: Int] = [:]
  /// What is open, the innermost last: whether it has members or elements, so that it needs an end.
  private var needsEnd: [Bool] = []

  func write(_ value: some Encodable) throws {
    if let packed = value as? any PackedValue { return try packed.pack(into: self) }
    needsEnd.append(false)
    try value.encode(to: PackedEncoder(writer: self))
    if needsEnd.removeLast() { column.append(0) }
  }

  /// Begins a member, or an element, which has no name.
  func begin(_ name: String = "") {
    if let number = names[name] { return column.append(number) }
    names[name] = names.count + 1
    column.append(names.count)
    column.append(name)
  }

  fileprivate func open() { needsEnd[needsEnd.count - 1] = true }
}

/// A value that is being written.
private struct PackedEncoder: Encoder {
  let writer: PackedWriter

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.open()
    return KeyedEncodingContainer(PackedMembers(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.open()
    return PackedElements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { PackedSingle(writer: writer) }
}

private struct PackedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: PackedEncoder

  var codingPath: [any CodingKey] { [] }

  /// What is not there has no member.
  mutating func encodeNil(forKey key: Key) {}

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    encoder.writer.begin(key.stringValue)
    try encoder.writer.write(value)
  }

  // The library has a method of its own for these, which writes none.
  mutating func encode(_ value: Int128, forKey key: Key) {
    encoder.writer.begin(key.stringValue)
    value.pack(into: encoder.writer)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { preconditionFailure("a member is a value of its own") }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    preconditionFailure("a member is a value of its own")
  }

  mutating func superEncoder() -> any Encoder { encoder }
  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

private struct PackedElements: UnkeyedEncodingContainer {
  let encoder: PackedEncoder
  private(set) var count = 0

  var codingPath: [any CodingKey] { [] }

  init(encoder: PackedEncoder) { self.encoder = encoder }

  mutating func encodeNil() throws { try encode(Bool?.none) }

  mutating func encode(_ value: some Encodable) throws {
    count += 1
    encoder.writer.begin()
    try encoder.writer.write(value)
  }

  mutating func encode(_ value: Int128) {
    count += 1
    encoder.writer.begin()
    value.pack(into: encoder.writer)
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    preconditionFailure("an element is a value of its own")
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    preconditionFailure("an element is a value of its own")
  }

  mutating func superEncoder() -> any Encoder { encoder }
}

private struct PackedSingle: SingleValueEncodingContainer {
  let writer: PackedWriter

  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() throws { try writer.write(Bool?.none) }
  mutating func encode(_ value: some Encodable) throws { try writer.write(value) }
  mutating func encode(_ value: Int128) { value.pack(into: writer) }
}
