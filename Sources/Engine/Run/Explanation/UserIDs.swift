import Domain
import Measurement

/// The ids of one user: the one asked for, and all that stand for the same user.
struct UserIDs: Sendable {
  /// The user that all of them lead to.
  let user: Identifier
  /// In order of bytes.
  let all: [Identifier]
  /// How a signed notification spells them.
  private let encoded: [[UInt8]]

  init(_ id: Identifier, _ identities: Identities) {
    let isUUID = id.utf8.withText(UUIDText.hasCapitals)
    let id = isUUID ? Identifier(utf8: UUIDText.folded(id.utf8)) : id
    user = id.utf8.withText { Identifier(identities.resolve($0)) }
    all = id.utf8.withText { identities.ids(standingFor: $0) }
    words = all.flatMap { id in id.utf8.withText { UUIDText.spellings(of: $0) } }
    let once = words.flatMap { Base64Text.parts(of: $0) }
    encoded = once + once.flatMap(Base64Text.parts)
  }

  /// The ids as texts to look for in files: UUIDs in capitals, too.
  let words: [[UInt8]]

  func contains(_ id: Text) -> Bool {
    guard UUIDText.hasCapitals(id) else { return all.contains { $0.utf8.withText { $0 == id } } }
    let folded = UUIDText.folded(id)
    return all.contains { $0.utf8 == folded }
  }

  /// Whether a row names one of them, though it could not be read: as a word, escaped, or signed.
  func stand(in row: [UInt8]) -> Bool {
    isIn(row) || row.contains(UInt8(ascii: "\\")) && isIn(EscapedText.undone(row))
  }

  private func isIn(_ row: [UInt8]) -> Bool {
    row.withText { row in
      words.contains { $0.withText { row.place(of: $0, asWord: true) != nil } }
        || encoded.contains { $0.withText { row.place(of: $0) != nil } }
    }
  }
}

/// Text with JSON's escapes in it. Source: RFC 8259, section 7.
private enum EscapedText {
  /// The text with its escapes undone, as far as they are any.
  static func undone(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        result.append(byte)
        continue
      }
      let digits = rest.prefix(4)
      guard next == UInt8(ascii: "u"), let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else {
        result.append(next)
        continue
      }
      result += Array(String(Character(scalar)).utf8)
      rest = rest.dropFirst(digits.count)
    }
    return result
  }
}

/// What a text becomes in Base 64, wherever it begins.
private enum Base64Text {
  /// Shorter parts stand in many texts by chance.
  private static let shortest = 8
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The characters that stand for nothing but the text: one spelling for each place in a group of three bytes.
  static func parts(of text: [UInt8]) -> [[UInt8]] {
    (0..<3).map { before in
      let bits = (Array(repeating: 0, count: before) + text).flatMap { byte in
        (0..<8).reversed().map { Int(byte >> UInt8($0)) & 1 }
      }
      let first = (before * 8 + 5) / 6
      return (first..<max(first, bits.count / 6)).map { place in
        alphabet[bits[place * 6..<place * 6 + 6].reduce(0) { $0 << 1 | $1 }]
      }
    }
    .filter { $0.count >= shortest }
  }
}
