import Testing

@testable import Domain

@Suite("Names from data")
struct IdentifierTests {
  @Test("Composed and decomposed é are two names, in the order of their bytes")
  func composition() {
    let composed = Identifier("caf\u{e9}")
    let decomposed = Identifier("cafe\u{301}")
    #expect("caf\u{e9}" == "cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
  }

  @Test("Order is that of the UTF-8 bytes")
  func order() {
    let names: [Identifier] = ["", "A", "Z", "a", "aa", "b", "é", "\u{ff5e}", "😀"]
    #expect(names.shuffled().sorted() == names)
    #expect(Identifier(utf8: [0xff]).text == "\u{fffd}")
    #expect(Identifier(utf8: [0xff]) != Identifier(utf8: [0xfe]))
  }

  @Test(
    "stands in a sentence as one word",
    arguments: [
      ("group_a", "group_a"), ("v1.2", "v1.2"), ("new-price", "new-price"), ("größer", "größer"),
      ("b. Do not ship it; keep control", "\"b. Do not ship it; keep control\""), ("b ", "\"b \""), ("b.", "\"b.\""),
      ("a \"b\"", "\"a 'b'\""), ("b\u{202e}", "\"b\u{202e}\""), ("", "\"\""),
    ])
  func inWords(name: String, words: String) {
    #expect(Identifier(name).inWords == words)
  }
}
