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
  package var file: String { PrintableText.escaped(json: written(indent: 0)) + "\n" }

  /// The value on one line.
  package var line: String { PrintableText.escaped(json: onOneLine) }

  // MARK: - Writing

  private func written(indent: Int) -> String {
    let (inner, outer) = (blanks(indent + 2), blanks(indent))
    switch self {
    case .list(let items) where !items.allSatisfy(\.isPlain):
      return "[\n" + items.map { inner + $0.written(indent: indent + 2) }.joined(separator: ",\n") + "\n\(outer)]"
    case .object(let members) where indent == 0 || !members.allSatisfy(\.value.isPlain):
      guard !members.isEmpty else { return "{}" }
      let lines = members.map { "\(inner)\(Self.quoted($0.name)): \($0.value.written(indent: indent + 2))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
    default: return onOneLine
    }
  }

  /// It holds no other list or object, or an empty one.
  private var isPlain: Bool {
    switch self {
    case .list(let items): items.isEmpty
    case .object(let members): members.isEmpty
    case .null, .flag, .number, .text: true
    }
  }

  private var onOneLine: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let digits): digits
    case .text(let text): Self.quoted(text)
    case .list(let items): "[" + items.map(\.onOneLine).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.name)): \($0.value.onOneLine)" }.joined(separator: ", ") + "}"
    }
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// A text as a JSON string: quotes, backslashes and control characters are escaped.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\0"..."\u{1f}", "\u{7f}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
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
