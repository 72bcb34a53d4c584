import Domain
import Platform

/// How the ids of one user stand in bytes: as they are, escaped, or within what is signed.
package struct UserMarks: Sendable {
  /// The ids as texts: UUIDs in capitals, too.
  package let words: [[UInt8]]
  /// How a signed notification spells them.
  private let encoded: [[UInt8]]
  /// The ids in small letters, as `LooseText` has them.
  package let looseWords: [[UInt8]]

  package init(_ ids: [Identifier]) {
    words = ids.flatMap { id in id.utf8.withText { UUIDText.spellings(of: $0) } }
    let once = words.flatMap { Base64Text.parts(of: $0) }
    encoded = once + once.flatMap(Base64Text.parts)
    looseWords = Array(Set(ids.flatMap { id in [id.text, id.text.lowercased(), id.text.uppercased()] })).sorted()
      .map { LooseText.plain(Array($0.utf8)) }
  }

  /// Whether a row may name one of them: as a word in other letter case, percent-encoded or escaped.
  package func mayStand(in row: [UInt8]) -> Bool {
    [row, EscapedText.undone(row)].contains { row in
      LooseText.plain(row).withText { row in
        looseWords.contains { $0.withText { row.position(of: $0, asWord: true) != nil } }
      }
    }
  }

  /// Whether a row names one of them: as a word, escaped, or signed.
  package func stand(in row: [UInt8]) -> Bool {
    isIn(row) || row.contains(UInt8(ascii: "\\")) && isIn(EscapedText.undone(row))
  }

  /// Whether a row that was cut at so many bytes ends in the beginning of one, half of it or more.
  package func begin(atEndOf row: [UInt8], cutAt length: Int) -> Bool {
    row.count >= length
      && words.contains { word in
        (max(4, word.count / 2)..<max(4, word.count / 2, word.count)).contains {
          row.suffix($0).elementsEqual(word.prefix($0))
        }
      }
  }

  /// All of it, to be looked for in bytes that are no rows.
  package var texts: [[UInt8]] { words + encoded }

  private func isIn(_ row: [UInt8]) -> Bool {
    row.withText { row in
      words.contains { $0.withText { row.position(of: $0, asWord: true) != nil } }
        || encoded.contains { $0.withText { row.position(of: $0) != nil } }
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
      return (first..<max(first, bits.count / 6)).map { position in
        alphabet[bits[position * 6..<position * 6 + 6].reduce(0) { $0 << 1 | $1 }]
      }
    }
    .filter { $0.count >= shortest }
  }
}
