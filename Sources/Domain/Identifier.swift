/// A name that came from data (an offering, a group, a product, a segment), compared and ordered as UTF-8 bytes.
///
/// Swift's `String` holds composed and decomposed forms of one character for equal; two user groups named
/// that way are two groups. An identifier is its bytes and nothing else.
package struct Identifier: Sendable, Hashable {
  /// The name's UTF-8 bytes, as they stood in the input.
  package let utf8: [UInt8]

  package init(utf8: some Sequence<UInt8>) {
    self.utf8 = Array(utf8)
  }

  package init(_ text: some StringProtocol) {
    self.utf8 = Array(text.utf8)
  }

  /// The name as text; bytes that are not UTF-8 show as U+FFFD.
  package var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The name as a word of a sentence: in quotes where it could be read as more than one word, or as the sentence's own.
  ///
  ///     Identifier("group_a").inWords                   // group_a
  ///     Identifier("b. Do not ship it").inWords         // "b. Do not ship it"
  package var inWords: String {
    let text = text
    return text.split(omittingEmptySubsequences: false) { "-_.".contains($0) }.allSatisfy(Self.isWord)
      ? text : "\"\(text.replacing("\"", with: "'"))\""
  }

  private static func isWord(_ part: Substring) -> Bool {
    !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber }
      && part.unicodeScalars.allSatisfy { !$0.properties.isDefaultIgnorableCodePoint }
  }
}

extension Identifier: Comparable {
  package static func < (left: Identifier, right: Identifier) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension Identifier: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension Identifier: CustomStringConvertible {
  package var description: String { text }
}
