import Foundation
import Domain
import Testing

@testable import Serving

@Suite("JSON of a client's messages")
struct JSONParserTests {
  private static func parsed(_ text: String) throws -> JSON { try JSONParser.value(of: Array(text.utf8)) }

  @Test("What is read is written the same again, numbers by their digits")
  func roundTrip() throws {
    let texts = [
      "null", "true", "[]", "{}", "-0", "1e400", "12345678901234567890123", "[1, [2, {\"a\": \"b\"}]]",
      #"{"b": 1, "a": [true, false, null]}"#, #""\u0001\"\\é""#,
    ]
    for text in texts { #expect(try Self.parsed(text).line == text) }
  }

  @Test("Escapes are what they stand for, and half a pair is a mark")
  func escapes() throws {
    #expect(try Self.parsed(#""\n\t\/\u00e9\ud83d\ude00""#) == .text("\n\t/é😀"))
    #expect(try Self.parsed(#""\ud83dx""#) == .text("\u{fffd}x"))
    #expect(try Self.parsed(#""\udc00""#) == .text("\u{fffd}"))
  }

  @Test("Of two members of one name the last counts")
  func duplicates() throws {
    #expect(try Self.parsed(#"{"a":1,"a":2}"#)["a"] == .number("2"))
  }

  @Test(
    "What is no JSON is refused with its place",
    arguments: [
      "", "{", "[1,", "{\"a\"}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "\"a", "\"\n\"", "\"\\x\"", "\"\\u12\"",
      "[1] 2", "{\"a\":1,}", "nul", "\u{feff}{}", "'a'",
    ])
  func refused(text: String) {
    #expect(throws: JSONParser.Fault.self) { try Self.parsed(text) }
  }

  @Test("Bytes that are no UTF-8, and values without end in one another, are refused")
  func unreadable() {
    #expect(throws: JSONParser.Fault(words: "not UTF-8", position: 0)) { try JSONParser.value(of: [0x22, 0xff, 0x22]) }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONParser.Fault(words: "nested too deeply", position: 64)) { try Self.parsed(deep) }
  }

  @Test("It agrees with Foundation about a thousand mangled messages")
  func mangled() throws {
    let sound = Array(
      #"{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"query","arguments":{"x":[1.5e3,null]}}}"#.utf8)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0x20..<0x7f, using: &generator)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let isKnown = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
      let isRead = (try? JSONParser.value(of: bytes)) != nil
      // Foundation refuses numbers that a Double cannot hold, and halves of pairs.
      if isKnown != isRead, !text.contains(/[eE]\+?\d/), !text.contains("\\u") {
        Issue.record("\(text): Foundation \(isKnown), here \(isRead)")
      }
    }
  }
}
