import CSimdjson

/// Reads JSON that stands in a cell of a table, or text that must be put together first.
struct JSONCells<Member: JSONMember> {
  private let reader = JSONObjectReader<Member>()
  private let arena = TextArena()

  /// Reads one object; nil where the text is not exactly that. What it points at lives until `forget`.
  func read(_ text: some Collection<UInt8>) -> JSONObject<Member>? {
    let padding = ol_json_padding()
    let place = arena.reserve(text.count + padding)
    _ = UnsafeMutableBufferPointer(start: place, count: text.count).initialize(fromContentsOf: text)
    (place + text.count).initialize(repeating: 0, count: padding)
    return reader.read(UnsafeBufferPointer(start: place, count: text.count))
  }

  /// Gives back what the texts read so far took.
  func forget() {
    arena.clear()
    reader.forget()
  }
}

/// The one member of an object that a lone value is wrapped into to be read.
enum JSONValue: Int, JSONMember {
  case value
  var source: SourceField { SourceField(name: "v") }
}

extension JSONCells<JSONValue> {
  /// The string or number that `text` is, escapes undone; none where it is something else.
  func string(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    value(text)?.string ?? .noText
  }

  /// The value that `text` is; nil where it is not JSON.
  func value(_ text: UnsafeBufferPointer<UInt8>) -> ol_field? {
    read(Array("{\"v\":".utf8) + text + [UInt8(ascii: "}")]).map { $0[.value] }
  }
}

extension ol_field {
  /// The field's text; none where it is missing, empty, or neither a string nor a number.
  package var string: UnsafeBufferPointer<UInt8> {
    (kind == UInt32(ol_string) || kind == UInt32(ol_number)) && length > 0 ? buffer : .noText
  }

  /// What stands before the number's fraction: a number that was typed as one has a point, a text what its file has.
  @inline(__always)
  func decimalSign(ofTexts sign: UInt8) -> UInt8 { kind == UInt32(ol_number) ? UInt8(ascii: ".") : sign }

  /// The names of an object's members, as they were typed; none where the field is no object.
  var memberNames: [String] {
    guard isObject else { return [] }
    var names: [String] = []
    var start = 1
    forEachMark { mark, at in
      if mark == UInt8(ascii: ":") {
        let name = UnsafeBufferPointer(start: bytes + start, count: at - start)
        names.append(String(decoding: name.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }, as: UTF8.self))
      }
      start = at + 1
      return true
    }
    return names
  }

  /// The values of an object's members, as they were typed; none where the field is no object.
  var memberValues: [UnsafeBufferPointer<UInt8>] {
    guard isObject else { return [] }
    var values: [UnsafeBufferPointer<UInt8>] = []
    var start = 0
    forEachMark { mark, at in
      if mark == UInt8(ascii: ":") {
        start = at + 1
      } else if start > 0 {
        values.append(UnsafeBufferPointer(start: bytes + start, count: at - start))
      }
      return true
    }
    return values
  }
}
