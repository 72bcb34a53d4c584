import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("Base 64 for URLs")
struct Base64URLTests {
  private func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

  private func decode(_ bytes: [UInt8]) -> [UInt8]? {
    let arena = TextArena()
    return withExtendedLifetime(arena) {
      arena.write(atMost: Base64URL.decodedCount(bytes.count)) { Base64URL.decode(bytes.span, to: &$0) }
        .map { Array($0) }
    }
  }

  // Source: RFC 4648, section 10, without the padding.
  @Test(
    "The standard's own vectors",
    arguments: [
      ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9vYmE", "fooba"),
      ("Zm9vYmFy", "foobar"),
    ])
  func vectors(text: String, bytes: String) {
    #expect(decode(text) == Array(bytes.utf8))
  }

  @Test("Any bytes come back as they were", arguments: 0..<70)
  func roundTrip(count: Int) {
    var dice = Dice(seed: UInt64(count))
    let bytes = dice.bytes(count)
    #expect(decode(base64URL(bytes)) == bytes)
  }

  @Test(
    "What no encoder makes is refused",
    arguments: ["A", "AAAAA", "Zg==", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm9v\n", " Zm9", "Zm9v.", "Zmé", "Zm9vY"])
  func refused(text: String) {
    #expect(decode(text) == nil)
  }

  @Test("A byte that is no character is refused wherever it stands, any other decoded", arguments: [7, 47, 80])
  func everyByte(count: Int) {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let text = (1..<count).map { Array("AZaz09-_".utf8)[$0 % 8] } + [UInt8(ascii: "A")]
    var wrong: [(position: Int, byte: UInt8)] = []
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        // Of the last character of a text that ends within a byte some bits stand for nothing, and are zero.
        let isWhole = position < count - 1 || count % 4 == 0 || byte == UInt8(ascii: "A")
        let isRight =
          decode(changed).map { Array(base64URL($0).utf8) == changed } ?? !(alphabet.contains(byte) && isWhole)
        if !isRight { wrong.append((position, byte)) }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }
}
