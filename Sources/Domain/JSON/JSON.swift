/// A JSON value whose members keep the order they are given in, so that the same values are the same bytes.
///
/// Source: RFC 8259.
package indirect enum JSON: Sendable, Hashable {
  case null
  case flag(Bool)
  /// A number by its digits, which the caller answers for: `0.25`, `12.500000`.
  case number(String)
  case text(String)
  case list([JSON])
  case object([Member])

  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
      (self.name, self.value) = (name, value)
    }
  }

  package static func whole(_ number: some BinaryInteger) -> JSON { .number(String(number)) }
  /// A text, or null where there is none.
  package static func text(orNull text: String?) -> JSON { text.map(JSON.text) ?? .null }
  package static func texts(_ texts: some Sequence<String>) -> JSON { .list(texts.map(JSON.text)) }

  /// The file of the value: what holds nothing that is nested stands on one line, all else a line a member; a line end
  /// behind it. Texts hold nothing that a terminal or a reader could be misled by: such characters are escapes.
  package var file: String {
    var text = ""
    write(to: &text, indent: 0)
    return PrintableText.escaped(json: text) + "\n"
  }

  /// The value on one line.
  package var line: String {
    var text = ""
    writeOnOneLine(to: &text)
    return PrintableText.escaped(json: text)
  }

  // MARK: - Writing

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .list(let items) where !items.allSatisfy(\.isPlain):
      Self.write(items, between: ("[", "]"), to: &text, indent: indent) { item, text, indent in
        item.write(to: &text, indent: indent)
      }
    case .object(let members) where !members.isEmpty && (indent == 0 || !members.allSatisfy(\.value.isPlain)):
      Self.write(members, between: ("{", "}"), to: &text, indent: indent) { member, text, indent in
        member.writeName(to: &text)
        member.value.write(to: &text, indent: indent)
      }
    default: writeOnOneLine(to: &text)
    }
  }

  /// Writes parts a line each, two blanks further in than their brackets.
  private static func write<Part>(
    _ parts: [Part], between brackets: (String, String), to text: inout String, indent: Int,
    _ writePart: (Part, inout String, _ indent: Int) -> Void
  ) {
    text += brackets.0
    for (number, part) in parts.enumerated() {
      text += number == 0 ? "\n" : ",\n"
      text += String(repeating: " ", count: indent + 2)
      writePart(part, &text, indent + 2)
    }
    text += "\n"
    text += String(repeating: " ", count: indent)
    text += brackets.1
  }

  /// It holds no other list or object, or an empty one.
  private var isPlain: Bool {
    switch self {
    case .list(let items): items.isEmpty
    case .object(let members): members.isEmpty
    case .null, .flag, .number, .text: true
    }
  }

  private func writeOnOneLine(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .flag(let flag): text += flag ? "true" : "false"
    case .number(let digits): text += digits
    case .text(let value): Self.quote(value, in: &text)
    case .list(let items):
      text += "["
      for (number, item) in items.enumerated() {
        if number > 0 { text += ", " }
        item.writeOnOneLine(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (number, member) in members.enumerated() {
        if number > 0 { text += ", " }
        member.writeName(to: &text)
        member.value.writeOnOneLine(to: &text)
      }
      text += "}"
    }
  }

  /// A text as a JSON string: quotes, backslashes and control characters are escaped.
  package static func quoted(_ text: String) -> String {
    var result = ""
    quote(text, in: &result)
    return result
  }

  private static func quote(_ value: String, in text: inout String) {
    text += "\""
    if value.utf8.allSatisfy(standsForItself) { text += value } else { escape(value, in: &text) }
    text += "\""
  }

  private static func escape(_ value: String, in text: inout String) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\0"..."\u{1f}", "\u{7f}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// A byte of UTF-8 that a JSON string holds as it is.
  private static func standsForItself(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

extension JSON.Member {
  fileprivate func writeName(to text: inout String) {
    text += JSON.quoted(name)
    text += ": "
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  package init(stringLiteral text: String) { self = .text(text) }
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }
  package init(integerLiteral number: Int) { self = .whole(number) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral items: JSON...) { self = .list(items) }
  package init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}
