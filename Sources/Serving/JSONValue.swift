import Domain

/// A JSON value: a message of the protocol, or a part of one.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  case flag(Bool)
  /// A number by its digits, as they were written or will be: none is lost on the way.
  case number(String)
  case text(String)
  case list([JSONValue])
  /// Members in order; of two of one name the last counts.
  case object([Member])

  package struct Member: Sendable, Equatable {
    package let name: String
    package let value: JSONValue
  }

  /// The value of a member; nil where there is none, or this is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The text; nil where this is none.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// Reads a text that this program has written.
  ///
  /// - Throws: `OfferliftError` 70 where it is no JSON.
  package init(json: String) throws {
    do { self = try JSONParser.value(of: Array(json.utf8)) } catch {
      throw OfferliftError(.internalError, "JSON that cannot be read: \(error.words), at byte \(error.place).")
    }
  }

  /// As one line of JSON.
  package var json: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let digits): digits
    case .text(let text): JSONText.quoted(text)
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSONText.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }
  package init(integerLiteral number: Int) { self = .number("\(number)") }
  package init(arrayLiteral values: JSONValue...) { self = .list(values) }
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member(name: $0, value: $1) })
  }
}
