/// What arrays and objects hold that were picked whole.
extension Field {
  /// The field is an object, as it was typed.
  var isObject: Bool { kind == .other && bytes.first == UInt8(ascii: "{") }

  /// The elements of an array, as they were typed; nil where the field is no array, or one of more than `limit`.
  package func elements(limit: Int) -> [Text]? {
    let bytes = bytes
    guard kind == .other, bytes.count >= 2, bytes[0] == UInt8(ascii: "[") else { return nil }
    var elements: [Text] = []
    var start = 1
    forEachMark { mark, at in
      let element = bytes.slice(start..<at).withoutBlanks
      if mark == UInt8(ascii: ",") || !element.isEmpty || !elements.isEmpty { elements.append(element) }
      start = at + 1
      return elements.count <= limit
    }
    return elements.count <= limit ? elements : nil
  }

  /// The names of an object's members, as they were typed; none where the field is no object.
  var memberNames: [String] {
    guard isObject else { return [] }
    let bytes = bytes
    var names: [String] = []
    var start = 1
    forEachMark { mark, at in
      if mark == UInt8(ascii: ":") {
        names.append(String(decoding: bytes.slice(start..<at).withoutBlanks.dropFirst().dropLast(), as: UTF8.self))
      }
      start = at + 1
      return true
    }
    return names
  }

  /// The names of members of an object's members, be those objects or texts that hold one: `data.price`.
  var dottedNames: [String] {
    zip(memberNames, memberValues).flatMap { name, value -> [String] in
      guard let object = value.objectInside else { return [] }
      return object.withText { text in
        let inside = Field(text, .other)
        return (inside.memberNames + inside.dottedNames).map { "\(name).\($0)" }
      }
    }
  }

  /// The values of an object's members, as they were typed; none where the field is no object.
  var memberValues: [Text] {
    guard isObject else { return [] }
    let bytes = bytes
    var values: [Text] = []
    var start = 0
    forEachMark { mark, at in
      if mark == UInt8(ascii: ":") {
        start = at + 1
      } else if start > 0 {
        values.append(bytes.slice(start..<at))
      }
      return true
    }
    return values
  }

  /// Calls `body` with the commas and colons directly inside a valid array or object, the bracket that closes it,
  /// and where they stand, until it returns false. What may stand behind that bracket is not looked at.
  private func forEachMark(_ body: (UInt8, Int) -> Bool) {
    let bytes = bytes
    var (depth, isText, at) = (0, false, 0)
    while at < bytes.count {
      let byte = bytes[at]
      if isText {
        if byte == UInt8(ascii: "\\") { at += 1 } else if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 1 {
            _ = body(byte, at)
            return
          }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 1, !body(byte, at) { return }
        default: break
        }
      }
      at += 1
    }
  }
}

extension Text {
  /// The object that a value is, or that stands in it as a text; nil where it is something else.
  fileprivate var objectInside: [UInt8]? {
    let value = Array(withoutBlanks)
    if value.first == UInt8(ascii: "{") { return value }
    guard value.first == UInt8(ascii: "\""), value.dropFirst().first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
      return nil
    }
    let cells = JSONCells<JSONValue>()
    let object = Array(cells.string(withoutBlanks))
    return object.isEmpty ? nil : object
  }

  /// Without the blanks JSON allows around a value.
  fileprivate var withoutBlanks: Text {
    var (first, last) = (startIndex, endIndex)
    while first < last, Self.isBlank(self[first]) { first += 1 }
    while last > first, Self.isBlank(self[last - 1]) { last -= 1 }
    return slice(first..<last)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == 0x0a
  }
}
