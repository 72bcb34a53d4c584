import Foundation
import Testing

@testable import Engine

@Suite("Base 64 for URLs")
struct Base64URLTests {
  private func decode(_ text: String) -> [UInt8]? {
    let (bytes, arena) = (Array(text.utf8), TextArena())
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
}
