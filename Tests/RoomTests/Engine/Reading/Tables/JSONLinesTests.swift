import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("JSON Lines")
struct JSONLinesTests {
  /// The rows of `text`, of which the members a, b and c are read.
  private func read(_ text: String, step: Int = .max) throws -> [PlainRow] {
    try rows(text, as: JSONLines(names: ["a", "b", "c"]), width: 3, step: step)
  }

  private func read(_ bytes: [UInt8]) throws -> [PlainRow] {
    try rows(bytes, as: JSONLines(names: ["a", "b", "c"]), width: 3)
  }

  /// The one row of a line and its first field.
  private func first(_ line: String) throws -> PlainRow {
    let found = try read(line)
    try #require(found.count == 1, "\(line)")
    return found[0]
  }

  @Test(
    "A member's value is read as it was meant",
    arguments: [
      (#"{"a":"x"}"#, "x"), (#"{"a":""}"#, ""), (#"{"a":null}"#, nil), (#"{}"#, nil), (#"{"z":1}"#, nil),
      (#"{ "a" : "x" }"#, "x"), ("{\t\"a\"\t:\t\"x\"\t}", "x"), ("  {\"a\":\"x\"}  ", "x"),
      // Escapes are undone.
      (#"{"a":"\"\\\/\b\f\n\r\t"}"#, "\"\\/\u{8}\u{c}\n\r\t"), (#"{"a":"\u0041\u00e9\u20AC"}"#, "Aé€"),
      (#"{"a":"\ud83d\ude00"}"#, "😀"), (#"{"a":"\u0000"}"#, "\0"), (#"{"a":"é😀"}"#, "é😀"),
      (#"{"\u0061":"x"}"#, "x"), (#"{"a":"{\"b\":1}"}"#, #"{"b":1}"#), (#"{"a":"a,b:c]}"}"#, "a,b:c]}"),
      // Numbers stay as they were typed.
      (#"{"a":7.990}"#, "7.990"), (#"{"a":-0}"#, "-0"), (#"{"a":1e2}"#, "1e2"), (#"{"a":1E+2}"#, "1E+2"),
      (#"{"a":12345678901234567890}"#, "12345678901234567890"),
      (#"{"a":123456789012345678901234567890}"#, "123456789012345678901234567890"),
      (#"{"a":1e999999999}"#, "1e999999999"), (#"{"a":-1.5e-400}"#, "-1.5e-400"), (#"{"a":0.1}"#, "0.1"),
      // Anything else as text of its own.
      (#"{"a":true}"#, "true"), (#"{"a":false}"#, "false"), (#"{"a":[1,2]}"#, "[1,2]"),
      (#"{"a":{"b":1}}"#, #"{"b":1}"#),
      // Of members with one name the last counts.
      (#"{"a":1,"a":2}"#, "2"), (#"{"a":"x","a":null}"#, nil), (#"{"a":null,"a":"x"}"#, "x"),
      (#"{"a":"x","\u0061":"y"}"#, "y"), (#"{"a":1,"b":2,"a":3}"#, "3"),
      // Nested members are not looked into.
      (#"{"z":{"a":"inner"},"a":"outer"}"#, "outer"), (#"{"a":"outer","z":{"a":"inner"}}"#, "outer"),
      (#"{"z":[{"a":"inner"}]}"#, nil),
    ] as [(String, String?)])
  func values(line: String, value: String?) throws {
    let row = try first(line)
    #expect(row.fault == nil)
    #expect(row.fields.first == .some(value))
  }

  @Test("A field tells text from number from anything else")
  func kinds() throws {
    let (reader, arena) = (JSONObjectReader<Known>(), TextArena())
    let object = try #require(reader.read(arena.copy(#"{"a":"1","b":1,"c":[1],"e":null}"#.utf8)))
    let kinds = withExtendedLifetime((reader, arena)) { Known.allCases.map { object[$0].kind } }
    #expect(kinds == [.string, .number, .other, .absent, .null])
  }

  private enum Known: Int, JSONMember {
    case a, b, c, d, e
    var source: SourceField { SourceField(name: String(describing: self)) }
  }

  @Test(
    "A row is malformed unless it is exactly one valid JSON object",
    arguments: [
      "[]", "[{\"a\":1}]", "\"a\"", "1", "null", "true", "x", "{", "}", "{}x", "{},", "{}]", "{}}",
      #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1,,"b":2}"#, #"{"a" 1}"#, #"{"a"::1}"#,
      #"{"a":1 "b":2}"#,
      #"{a:1}"#, #"{'a':1}"#, #"{"a":'x'}"#, #"{1:1}"#, #"{null:1}"#, #"{"a":1;"b":2}"#,
      // Numbers that are none.
      #"{"a":01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":5.}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":-}"#, #"{"a":--1}"#,
      #"{"a":1.2.3}"#, #"{"a":0x10}"#, #"{"a":1_000}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":-Infinity}"#,
      #"{"a":1 2}"#, #"{"a":1a}"#, #"{"a":١}"#,
      // Phrase that are none.
      #"{"a":True}"#, #"{"a":nul}"#, #"{"a":nulll}"#, #"{"a":null1}"#, #"{"a":undefined}"#, #"{"a":truefalse}"#,
      // Strings that are none.
      #"{"a":"x}"#, #"{"a":"x"y}"#, #"{"a":"x""y"}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#,
      #"{"a":"\"}"#,
      "{\"a\":\"x\ty\"}", "{\"a\":\"x\u{1}y\"}", "{\"a\":\"\0\"}", #"{"a\q":1}"#, #"{"a":"\U0041"}"#,
      // Surrogates that stand alone.
      #"{"a":"\ud83d"}"#, #"{"a":"\ude00"}"#, #"{"a":"\ude00\ud83d"}"#, #"{"a":"\ud83d\ud83d"}"#, #"{"a":"\ud83dx"}"#,
      #"{"a":"\ud83d\n"}"#, #"{"\ud800":1}"#, #"{"z":"\udfff"}"#, #"{"z":["\ud83d"]}"#,
      // What nobody asks for must be valid too.
      #"{"a":1,"z":01}"#, #"{"z":[1,2,],"a":1}"#, #"{"z":[1 2]}"#, #"{"z":{"y":}}"#, #"{"z":[}}"#, #"{"z":{]}"#,
      #"{"z":[[1,2]}"#, #"{"z":"\q"}"#, #"{"z":nope}"#,
      // NUL and other bytes outside strings.
      "{\"a\":1}\0", "\0{\"a\":1}", "{\"a\":\0}", "{\u{b}\"a\":1}", "{\"a\":1}\u{c}", "\u{a0}{}", "{}\u{2028}",
      "{\u{feff}}", #"{"a":1} // why"#, #"/**/{"a":1}"#, "--", ",",
    ])
  func malformed(line: String) throws {
    #expect(try first(line).fault == .malformed, "\(line)")
    // Its neighbours do not suffer.
    let found = try read("{\"a\":\"x\"}\n\(line)\n{\"a\":\"y\"}\n")
    #expect(found.map(\.fault) == [nil, .malformed, nil], "\(line)")
    #expect([found.first, found.last].map { $0?.fields.first } == ["x", "y"], "\(line)")
  }

  @Test(
    "Bytes that are not UTF-8 are told from bad JSON",
    arguments: [
      [0xff], [0xc3], [0xc3, 0x28], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x28, 0x8c, 0xbc],
      [0xf4, 0x90, 0x80, 0x80], [0x80], [0xf8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    let inString = Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)
    #expect(try read(inString).map(\.fault) == [.invalidUTF8])
    let inNeighbour = Array("{\"b\":1}\n".utf8) + inString + Array("\n{\"b\":2}".utf8)
    #expect(try read(inNeighbour).map(\.fault) == [nil, .invalidUTF8, nil])
    let outside = bytes + Array(#"{"a":1}"#.utf8)
    #expect(try read(outside).map(\.fault) == [.invalidUTF8])
  }

  @Test("Lines end with LF or CRLF, and the last may lack its end", arguments: ["\n", "\r\n"])
  func lineEnds(end: String) throws {
    for last in ["", end] {
      let found = try read("{\"a\":1}\(end){\"a\":2}\(last)")
      #expect(found.map(\.fields.first) == ["1", "2"])
      #expect(found.map(\.line) == [1, 2])
      #expect(found.map(\.offset) == [0, Int64(7 + end.utf8.count)])
    }
  }

  @Test("Blank lines are not rows, but count as lines")
  func blankLines() throws {
    let found = try read("\n\r\n  \n\t\n{\"a\":1}\n\n \r\n{\"a\":2}\n\n")
    #expect(found.map(\.fields.first) == ["1", "2"])
    #expect(found.map(\.line) == [5, 8])
    #expect(found.map(\.offset) == [8, 20])
    #expect(try read("").isEmpty)
    #expect(try read("\n").isEmpty)
    #expect(try read(" \t\r\n \n").isEmpty)
  }

  @Test("Nesting is followed to a depth no log has, and refused beyond, without a crash")
  func nesting() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      "{\"z\":" + String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth) + ",\"a\":\"x\"}"
    }
    for depth in [1, 10, 500] {
      #expect(try first(nested(depth, "[", "]")).fields.first == "x", "\(depth)")
      #expect(try first(nested(depth, "{\"a\":", "}")).fields.first == "x", "\(depth)")
    }
    for depth in [600, 10_000, 100_000] {
      #expect(try first(nested(depth, "[", "]")).fault == .malformed, "\(depth)")
      #expect(try first(nested(depth, "{\"a\":", "}")).fault == .malformed, "\(depth)")
    }
    #expect(try first(String(repeating: "[", count: 500_000)).fault == .malformed)
    #expect(try first(String(repeating: "{\"a\":", count: 100_000)).fault == .malformed)
  }

  @Test("A line of the longest length is read, one byte more is too long")
  func longest() throws {
    func line(_ length: Int) -> String { "{\"a\":\"" + String(repeating: "x", count: length - 8) + "\"}" }
    let sound = try first(line(longestLine))
    #expect(sound.fault == nil)
    #expect(sound.fields.first??.utf8.count == longestLine - 8)
    #expect(try read("\(line(longestLine + 1))\n{\"a\":1}").map(\.fault) == [.lineTooLong, nil])
  }

  @Test("Members may come in any order, and differ from line to line")
  func order() throws {
    let lines = [
      #"{"a":"1","b":"2","c":"3"}"#, #"{"c":"3","b":"2","a":"1"}"#, #"{"b":"2","x":0,"a":"1","c":"3"}"#,
      #"{"b":"2"}"#, #"{"c":"3"}"#, #"{"ab":"no","a":"1"}"#, #"{"":"no","A":"no","b":"2"}"#,
    ]
    let found = try read(lines.joined(separator: "\n"))
    #expect(
      found.map(\.fields) == [
        ["1", "2", "3"], ["1", "2", "3"], ["1", "2", "3"], [nil, "2", nil], [nil, nil, "3"], ["1", nil, nil],
        [nil, "2", nil],
      ])
  }

  @Test("More rows than a batch takes come in several", arguments: [2047, 2048, 2049, 5000])
  func batches(count: Int) throws {
    let text = (0..<count).map { "{\"a\":\($0)}\n" }.joined()
    let found = try read(text)
    #expect(found.map(\.fields.first) == (0..<count).map { "\($0)" })
    #expect(found.map(\.line) == Array(1...count))
  }

  @Test("Where a window ends changes nothing", arguments: 1...40)
  func windows(step: Int) throws {
    let text = "\n{\"a\":\"x\\n\"}\r\n\r\n{\"b\":1\n{\"c\":[1]}  \n{}{}\n\u{e9}\n{\"a\":\"é\"}"
    #expect(try read(text, step: step) == read(text))
  }

  @Test("Text unescaped in one row stays while the batch lives")
  func arenas() throws {
    let texts = (0..<1500).map { String(repeating: "\\u00e9\($0)", count: 1 + $0 % 40) }
    let found = try read(texts.map { "{\"a\":\"\($0)\"}\n" }.joined())
    let expected = texts.map { $0.replacingOccurrences(of: "\\u00e9", with: "é") }
    #expect(found.map(\.fields.first) == expected)
  }

  /// What Foundation takes and the product does not, or the other way round, and why.
  private static func isKnownDeviation(_ line: [UInt8]) -> Bool {
    // Foundation drops a byte order mark and NUL-padded encodings; it takes lone surrogates for U+FFFD in
    // some releases; it refuses numbers beyond its own range, which are JSON all the same.
    line.contains(0) || line.starts(with: [0xef, 0xbb, 0xbf]) || String(decoding: line, as: UTF8.self).contains("\\u")
      || line.contains(UInt8(ascii: "e")) || line.contains(UInt8(ascii: "E"))
  }

  @Test("Damaged lines are taken or refused as Foundation takes or refuses them")
  func againstFoundation() throws {
    let seed: UInt64 = 8259
    var random = Dice(seed: seed)
    let seeds = [
      #"{"a":"x","b":12.50,"c":[1,{"d":null}]}"#, #"{"a":true,"b":{"a":[[]]},"c":"\"\\"}"#, #"{"a":-0.1,"b":"é"}"#,
      #"{"a":[1,2,3],"b":false}"#,
    ].map { Array($0.utf8) }
    let alphabet = Array("{}[]\",:\\ 0123456789.-+ntrua\t".utf8) + [0x80, 0xc3, 0xa9, 0x0d]
    var lines: [[UInt8]] = []
    for _ in 0..<4000 {
      var line = random.pick(seeds)
      for _ in 0...random.below(3) {
        let position = random.below(line.count)
        switch random.below(4) {
        case 0: line[position] = random.pick(alphabet)
        case 1: line.insert(random.pick(alphabet), at: position)
        case 2 where line.count > 2: line.remove(at: position)
        default: line.swapAt(position, random.below(line.count))
        }
      }
      if !Self.isKnownDeviation(line) { lines.append(line) }
    }
    var disagreements: [String] = []
    for line in lines {
      let own = try read(line)
      let isAccepted = own.count == 1 && own[0].fault == nil
      let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      if isAccepted != (object != nil) { disagreements.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(lines.count > 2000)
    #expect(disagreements.isEmpty, "seed \(seed)")
  }

  @Test("Any bytes end in rows")
  func rubbish() throws {
    let seed: UInt64 = 31
    var random = Dice(seed: seed)
    let alphabet = Array("{}[]\",:\\u00dde1 \n\r\t\0".utf8) + [0xff, 0xc3, 0xa9]
    for round in 0..<400 {
      let bytes = random.bytes(random.below(300), from: alphabet)
      let whole = try rows(bytes, as: JSONLines(names: ["a", "u0"]), width: 2)
      let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
      let filled = lines.count { $0.contains { ![0x20, 0x09, 0x0d].contains($0) } }
      // A line may hold several objects.
      #expect(whole.count >= filled, "seed \(seed), round \(round)")
      let step = 1 + random.below(60)
      #expect(try rows(bytes, as: JSONLines(names: ["a", "u0"]), width: 2, step: step) == whole, "seed \(seed)")
    }
  }
}
