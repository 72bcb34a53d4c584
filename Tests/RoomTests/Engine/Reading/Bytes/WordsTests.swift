import Testing

@testable import Engine
@testable import Measurement

@Suite("Bytes looked at eight at a time")
struct WordsTests {
  private static let texts: [[UInt8]] = {
    var dice = Dice(seed: 21)
    return (0..<40).flatMap { length in (0..<50).map { _ in dice.bytes(length) } }
  }()

  @Test("A text's words are its bytes, the last ones filled up with zeros")
  func words() {
    for text in Self.texts {
      var words: [UInt64] = []
      text.withText { ByteHash.words(of: $0) { words.append($0) } }
      let filled = text + [UInt8](repeating: 0, count: (8 - text.count % 8) % 8)
      let expected = stride(from: 0, to: filled.count, by: 8).map { start in
        (0..<8).reduce(UInt64(0)) { $0 | UInt64(filled[start + $1]) << UInt64($1 * 8) }
      }
      #expect(words == expected)
    }
  }

  @Test("The first of two bytes is found, from any place on")
  func position() {
    var dice = Dice(seed: 22)
    for text in Self.texts {
      // Neighbours of a byte that is sought are what a word's arithmetic may mistake for it.
      let near = text.map { _ in UInt8(dice.below(4)) }
      for bytes in [text, near] {
        let (one, other) = (UInt8(dice.below(4)), dice.chance(0.5) ? UInt8(dice.below(256)) : 1)
        let start = dice.below(bytes.count + 1)
        let expected = bytes[start...].firstIndex { $0 == one || $0 == other } ?? bytes.count
        #expect(bytes.withText { $0.position(of: one, or: other, from: start) } == expected)
      }
    }
  }

  @Test("Texts are equal where all bytes are")
  func equality() {
    var dice = Dice(seed: 23)
    for text in Self.texts where !text.isEmpty {
      var other = text
      #expect(text.withText { one in other.withText { one == $0 } })
      other[dice.below(other.count)] ^= 1 << UInt8(dice.below(8))
      #expect(text.withText { one in other.withText { one != $0 } })
    }
  }
}
