import Domain
import Foundation

/// Values as bytes, for this program alone, which may be another process or the next night's run: they are read in a third
/// of the time that JSON takes.
///
/// Numbers are written as in a column of a block. A list is its length and its elements. Members of an object stand in the
/// order in which they were written, each behind the number of its name, from 1 and in full where it is new; 0 ends them.
/// So a type has to read its members in the order in which it writes them, as the compiler has types do.
package enum PackedCoding {
  /// - Throws: what `value` throws.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let writer = PackedWriter()
    try writer.write(value)
    var bytes: [UInt8] = []
    writer.column.add(to: &bytes)
    return bytes
  }

  /// Reads a value, and refuses every number that counting does not come to: what is taken can be added up without a look
  /// at it, however many such texts there are.
  ///
  /// - Throws: `BlockFault` or `DecodingError` where the bytes are no such value, or a number in them cannot be.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> Value {
    try bytes.withText { text in
      let reader = PackedReader(text, userInfo: userInfo)
      let value = try reader.read(type)
      guard reader.column.isAtEnd else { throw BlockFault.damaged }
      return value
    }
  }
}

/// A value that is written as one, its parts without a word on what they are.
protocol PackedValue {
  func pack(into writer: PackedWriter) throws
  static func unpack(from reader: PackedReader) throws -> Self
}

// MARK: - Numbers and texts

extension Bool: PackedValue {
  func pack(into writer: PackedWriter) { writer.column.append(self ? 1 as UInt64 : 0) }
  static func unpack(from reader: PackedReader) throws -> Bool { try reader.column.position(below: 2) == 1 }
}

extension Double: PackedValue {
  func pack(into writer: PackedWriter) { writer.column.append(word: bitPattern) }
  static func unpack(from reader: PackedReader) throws -> Double { Double(bitPattern: try reader.column.word()) }
}

extension String: PackedValue {
  func pack(into writer: PackedWriter) { writer.column.append(self) }
  static func unpack(from reader: PackedReader) throws -> String { try reader.column.string() }
}

extension Data: PackedValue {
  func pack(into writer: PackedWriter) { writer.column.append(Array(self)) }
  static func unpack(from reader: PackedReader) throws -> Data { Data(try reader.column.text()) }
}

/// Hashes and words of bits.
extension UInt64: PackedValue {
  func pack(into writer: PackedWriter) { writer.column.append(self) }
  static func unpack(from reader: PackedReader) throws -> UInt64 { try reader.column.number() }
}

/// A number that is written with its sign.
private protocol PackedNumber: PackedValue, FixedWidthInteger {
  /// A run may come to it.
  var isPossible: Bool { get }
}

extension PackedNumber {
  var isPossible: Bool { true }

  func pack(into writer: PackedWriter) { writer.column.append(signed: Int64(self)) }

  static func unpack(from reader: PackedReader) throws -> Self {
    guard let number = Self(exactly: try reader.column.signed()), number.isPossible else { throw BlockFault.damaged }
    return number
  }
}

extension UInt8: PackedNumber {}
extension UInt16: PackedNumber {}
extension UInt32: PackedNumber {}
extension Int32: PackedNumber {}

/// How often something came, or which one it is.
extension Int: PackedNumber {
  var isPossible: Bool { magnitude < 1 << 47 }
}

/// Times and sizes; no time is the first or the last of all.
extension Int64: PackedNumber {
  var isPossible: Bool { magnitude < 1 << 48 || self == .min || self == .max }
}

/// Sums of money, and others whose bounds their own type knows.
extension Int128: PackedValue {
  func pack(into writer: PackedWriter) {
    let bits = UInt128(bitPattern: self << 1 ^ self >> 127)
    writer.column.append(UInt64(truncatingIfNeeded: bits))
    writer.column.append(UInt64(truncatingIfNeeded: bits >> 64))
  }

  static func unpack(from reader: PackedReader) throws -> Int128 {
    let bits = UInt128(try reader.column.number()) | UInt128(try reader.column.number()) << 64
    let number = Int128(bitPattern: bits >> 1) ^ -Int128(bitPattern: bits & 1)
    guard reader.acceptsAnySum || number.magnitude < 1 << 118 else { throw BlockFault.damaged }
    return number
  }
}

// MARK: - What holds others

extension Optional: PackedValue where Wrapped: Codable {
  func pack(into writer: PackedWriter) throws {
    (self != nil).pack(into: writer)
    if let self { try writer.write(self) }
  }

  static func unpack(from reader: PackedReader) throws -> Wrapped? {
    try Bool.unpack(from: reader) ? try reader.read(Wrapped.self) : nil
  }
}

extension Array: PackedValue where Element: Codable {
  func pack(into writer: PackedWriter) throws {
    writer.column.append(count)
    for element in self { try writer.write(element) }
  }

  static func unpack(from reader: PackedReader) throws -> [Element] {
    // As many as there are bytes, at most: what is set aside is no more than was sent.
    try (0..<reader.column.length()).map { _ in try reader.read(Element.self) }
  }
}

extension Dictionary: PackedValue where Key: Codable, Value: Codable {
  func pack(into writer: PackedWriter) throws {
    writer.column.append(count)
    for (key, value) in self {
      try writer.write(key)
      try writer.write(value)
    }
  }

  static func unpack(from reader: PackedReader) throws -> [Key: Value] {
    var all: [Key: Value] = [:]
    for _ in 0..<(try reader.column.length()) {
      let key = try reader.read(Key.self)
      guard all.updateValue(try reader.read(Value.self), forKey: key) == nil else { throw BlockFault.damaged }
    }
    return all
  }
}
