import Domain
import Foundation
import Statistics

/// Reads JSON that another process of a run has written, and refuses every number that counting does not come to: what is
/// taken can be added up without a look at it, however many such texts there are.
package enum CheckedJSON {
  /// - Throws: `DecodingError` where the bytes are no such value, or a number in them cannot be.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.userInfo = userInfo
    return try decoder.decode(Checked<Value>.self, from: bytes).value
  }
}

/// A value that comes as one: nothing in it is looked at by itself.
private protocol Whole {
  /// A run may come to it.
  var isPossible: Bool { get }
}

extension Whole {
  var isPossible: Bool { true }
}

extension String: Whole {}
extension Data: Whole {}
extension Bool: Whole {}
extension Double: Whole {}
extension UInt8: Whole {}
extension UInt16: Whole {}
extension UInt32: Whole {}
/// Hashes and words of bits.
extension UInt64: Whole {}
extension Int32: Whole {}

/// How often something came, or which one it is.
extension Int: Whole {
  var isPossible: Bool { magnitude < 1 << 47 }
}

/// Times and sizes; no time is the first or the last of all.
extension Int64: Whole {
  var isPossible: Bool { magnitude < 1 << 48 || self == .min || self == .max }
}

/// Sums of money.
extension Int128: Whole {
  var isPossible: Bool { magnitude < 1 << 118 }
}

/// Its sums may take all of 128 bits: adding them up reports when they do.
extension SufficientStatistics: Whole {
  var isPossible: Bool { n.magnitude < 1 << 47 }
}

/// A value whose parts have been looked at while it was decoded.
private struct Checked<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: CheckedDecoder(base: decoder)) }

  static var isWhole: Bool { Value.self is any Whole.Type }

  static func possible(_ value: Value, _ path: [any CodingKey]) throws -> Value {
    guard (value as? any Whole)?.isPossible ?? true else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: path, debugDescription: "\(value), which there cannot be"))
    }
    return value
  }
}

private struct CheckedDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CheckedMembers(base: try base.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { CheckedElements(base: try base.unkeyedContainer()) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    CheckedValue(base: try base.singleValueContainer())
  }
}

private struct CheckedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard Checked<Value>.isWhole else { return try base.decode(Checked<Value>.self, forKey: key).value }
    return try Checked.possible(try base.decode(type, forKey: key), codingPath + [key])
  }

  // The library has a method of its own for these, which reads none.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try Checked.possible(try base.decode(type, forKey: key), codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(CheckedMembers<Nested>(base: try base.nestedContainer(keyedBy: type, forKey: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    CheckedElements(base: try base.nestedUnkeyedContainer(forKey: key))
  }

  func superDecoder() throws -> any Decoder { CheckedDecoder(base: try base.superDecoder()) }
  func superDecoder(forKey key: Key) throws -> any Decoder { CheckedDecoder(base: try base.superDecoder(forKey: key)) }
}

private struct CheckedElements: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard Checked<Value>.isWhole else { return try base.decode(Checked<Value>.self).value }
    return try Checked.possible(try base.decode(type), codingPath)
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try Checked.possible(try base.decode(type), codingPath)
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CheckedMembers(base: try base.nestedContainer(keyedBy: type)))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    CheckedElements(base: try base.nestedUnkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder { CheckedDecoder(base: try base.superDecoder()) }
}

private struct CheckedValue: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard Checked<Value>.isWhole else { return try base.decode(Checked<Value>.self).value }
    return try Checked.possible(try base.decode(type), codingPath)
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try Checked.possible(try base.decode(type), codingPath) }
}
