import Testing

@testable import Domain

/// Text of strangers in messages and tables.
struct PrintableTextTests {
  @Test(
    "What moves a cursor, hides text or turns it round is written out",
    arguments: [
      ("plain é 漢字\t👩‍🚀 می‌خواهم", "plain é 漢字\t👩‍🚀 می‌خواهم"), ("\u{1b}[31mred\u{7}", #"\u{1b}[31mred\u{7}"#),
      ("one\r\ntwo\u{0}\u{7f}", #"one\r\ntwo\u{0}\u{7f}"#), ("c1 \u{9b}2J\u{85}", #"c1 \u{9b}2J\u{85}"#),
      ("abc\u{202e}def\u{2066}\u{200f}", #"abc\u{202e}def\u{2066}\u{200f}"#),
      ("lines\u{2028}and\u{2029}tags\u{e0041}\u{feff}", #"lines\u{2028}and\u{2029}tags\u{e0041}\u{feff}"#),
    ])
  func movesCursorHides(text: String, expected: String) {
    #expect(PrintableText.escaped(text) == expected)
    #expect(PrintableText.escaped(expected) == expected)
    #expect(PrintableText.escaped(bytes: Array(text.utf8)) == expected)
  }

  @Test("JSON says the same without them")
  func json() {
    let text = #"{"a":"é\u001b\#u{202e}\#u{2028}\#u{e0041}\#u{7f}می‌خ"}"#
    #expect(PrintableText.escaped(json: text) == #"{"a":"é\u001b\u202e\u2028\udb40\udc41\u007fمی‌خ"}"#)
  }

  @Test("Bytes that are no UTF-8 are written out, and what follows them is not lost")
  func bytesUtf8() {
    #expect(PrintableText.escaped(bytes: [0x61, 0xFF, 0xC3, 0x62, 0x9B, 0xC3, 0xA9]) == #"a\xff\xc3b\x9bé"#)
  }

  @Test("Of a quoted value 200 bytes are shown, and all that stands round it")
  func quotedValue200() {
    let sentence = PrintableText.sentence("line 7: price \"\(String(repeating: "é", count: 5000))\" is none. Mend it.")
    #expect(sentence == "line 7: price \"\(String(repeating: "é", count: 100))…\" is none. Mend it.")
    let odd = PrintableText.sentence("price \"\(String(repeating: "漢", count: 100))\" is none.")
    #expect(odd == "price \"\(String(repeating: "漢", count: 66))…\" is none.")
    let short = "column \"a\" of \"b\"; its columns are \(String(repeating: "\"x\", ", count: 60))."
    #expect(PrintableText.sentence(short) == short)
  }

  @Test(
    "Four million characters leave the beginning and the end of a sentence",
    arguments: ["x", "\"", "a\"", "é", "\u{1b}", "\"\n"])
  func fourMillionCharacters(rubbish: String) {
    let sentence = PrintableText.sentence("line 7: \(String(repeating: rubbish, count: 4_000_000)) is none. Mend it.")
    #expect(sentence.utf8.count < 2100)
    #expect(sentence.hasPrefix("line 7: ") && sentence.hasSuffix(" is none. Mend it."))
    #expect(!sentence.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("A problem keeps to its line, and of very many problems the rest is counted")
  func problemRetainsLine() {
    let one = OfferliftError(.badData, "group \"a\nofferlift: all is well\" is unknown.")
    #expect(one.message == #"group "a\nofferlift: all is well" is unknown."#)
    let problems = (1...250).map { "line \($0): bad\u{1b}" }
    let many = OfferliftError(.badJobFile, problems: problems).message.split(separator: "\n")
    #expect(many.count == 101)
    #expect(many[0] == #"line 1: bad\u{1b}"#)
    #expect(many[100] == "… and 150 more problems.")
  }
}
