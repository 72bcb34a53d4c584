import Domain

extension JSON {
  /// The value of a member, of two of one name the last one's; nil where there is none, or this is no object.
  package subscript(name: String) -> JSON? {
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
      throw OfferliftError(.internalError, "JSON that cannot be read: \(error.words), at byte \(error.position).")
    }
  }
}
