import CSimdjson
import Foundation
import Jobs

/// Simdjson, set up to pick the members of these names.
final class JSONReader {
  let handle: OpaquePointer

  /// - Parameter names: members' names; a path where they are nested.
  init(names: [String]) {
    let copies = names.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    let pointers = copies.map { UnsafePointer($0) }
    guard let handle = ol_json_reader_create(pointers, names.count, longestLine) else {
      fatalError("simdjson found no memory for one line")
    }
    self.handle = handle
  }

  deinit { ol_json_reader_destroy(handle) }
}

/// The members of a JSON object that a format knows, in the order they are read.
protocol JSONMember: CaseIterable, RawRepresentable<Int> {
  var source: SourceField { get }
}

/// What one JSON object says: its members by name.
struct JSONObject<Member: JSONMember> {
  let fields: UnsafePointer<ol_field>

  subscript(member: Member) -> ol_field { fields[member.rawValue] }

  /// A string or a number as text; nothing where the member is missing or something else.
  func text(_ member: Member) -> UnsafeBufferPointer<UInt8> {
    let field = self[member]
    return field.kind == UInt32(ol_string) || field.kind == UInt32(ol_number) ? field.buffer : .noText
  }
}

/// Reads JSON objects that lie in memory, one at a time, each exactly as a line of a log is read.
final class JSONObjectReader<Member: JSONMember> {
  private let reader: JSONReader
  private let fields: UnsafeMutablePointer<ol_field>

  /// - Parameter others: names of members to be read behind the known ones.
  init(and others: [String] = []) {
    let names = Member.allCases.map(\.source.name) + others
    reader = JSONReader(names: names)
    fields = .allocate(capacity: names.count)
  }

  deinit { fields.deallocate() }

  /// Reads one object; nil where the text is not exactly that.
  ///
  /// `ol_json_padding()` bytes behind the text must be readable. The object's members are those of the last
  /// text read; the bytes they point at live until `forget`.
  func read(_ text: UnsafeBufferPointer<UInt8>) -> JSONObject<Member>? {
    guard let start = text.baseAddress, !text.isEmpty,
      ol_json_reader_read_text(reader.handle, start, text.count, fields) == UInt32(ol_row_ok)
    else { return nil }
    return JSONObject(fields: fields)
  }

  /// Gives back what the texts read so far took.
  func forget() { ol_json_reader_forget(reader.handle) }
}

extension ol_field {
  /// The field is an object, as it was typed.
  var isObject: Bool { kind == UInt32(ol_other) && length > 0 && bytes[0] == UInt8(ascii: "{") }

  /// The elements of an array, as they were typed.
  ///
  /// Returns nil where the field is no array, or one of more than `most` elements.
  package func elements(most: Int) -> [UnsafeBufferPointer<UInt8>]? {
    guard kind == UInt32(ol_other), length >= 2, bytes[0] == UInt8(ascii: "[") else { return nil }
    var elements: [UnsafeBufferPointer<UInt8>] = []
    var start = 1
    forEachMark { mark, at in
      let element = UnsafeBufferPointer(start: bytes + start, count: at - start).trimmed
      if mark == UInt8(ascii: ",") || !element.isEmpty || !elements.isEmpty { elements.append(element) }
      start = at + 1
      return elements.count <= most
    }
    return elements.count <= most ? elements : nil
  }

  /// Calls `body` with the commas and colons directly inside a valid array or object, the bracket that closes it,
  /// and where they stand, until it returns false.
  func forEachMark(_ body: (UInt8, Int) -> Bool) {
    var (depth, isText, at) = (0, false, 0)
    while at < Int(length) {
      let byte = bytes[at]
      if isText {
        if byte == UInt8(ascii: "\\") { at += 1 } else if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 1, !body(byte, at) { return }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 1, !body(byte, at) { return }
        default: break
        }
      }
      at += 1
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Without the blanks JSON allows around a value.
  fileprivate var trimmed: Self {
    var (first, last) = (startIndex, endIndex)
    while first < last, Self.isBlank(self[first]) { first += 1 }
    while last > first, Self.isBlank(self[last - 1]) { last -= 1 }
    return Self(rebasing: self[first..<last])
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == 0x0a
  }
}
