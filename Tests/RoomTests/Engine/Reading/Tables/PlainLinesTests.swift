import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// Plain lines are read straight from their bytes, all others by their tokens. A blank before a line makes it one of the
/// others, and changes nothing else.
@Suite("Plain lines of JSON")
struct PlainLinesTests {
  /// A row without its place, which a blank moves.
  private struct Row: Equatable {
    var fault: SetAsideReason?
    var kinds: [Field.Kind]
    var texts: [String]
  }

  private static let names = [
    "a", "b", SourceField.path("event", "id").name, SourceField.path("event", "user", "name").name, "event",
    "anameoftwentyeightcharacters", "anameofthirtyonecharactersorso_", "anameoffortycharactersthatnolabelcanhold", "é",
  ]
  private static let sound = Array(#"{"a":"first","b":2,"é":"é"}"#.utf8)

  private let arena = TextArena()
  private let reader: JSONReader
  private let batch: RecordBatch

  init() {
    reader = JSONReader(names: Self.names)
    batch = RecordBatch(width: Self.names.count)
  }

  private func rows(_ text: Text) -> [Row] {
    batch.begin(text, byteOffset: 0, firstLine: 1)
    _ = reader.readLines(text, into: batch)
    return (0..<batch.count).map { row in
      let fields = (0..<batch.width).map { batch.fields(of: row)[$0] }
      return Row(fault: batch.fault(of: row)?.reason, kinds: fields.map(\.kind), texts: fields.map(\.string))
    }
  }

  /// The row of a line that stands between two sound ones, so that line after line is tried as a plain one.
  private func line(_ line: [UInt8], end: String = "\n") throws -> [Row] {
    arena.clear()
    let bytes = [Self.sound, line, Self.sound].flatMap { $0 + Array(end.utf8) }
    let found = rows(arena.copy(bytes))
    // A line may hold several objects, each a row.
    try #require(found.count >= 3, "\(String(decoding: line, as: UTF8.self))")
    #expect(found[0] == found[found.count - 1])
    #expect(found[0].fault == nil && found[0].texts.first == "first")
    return Array(found[1..<found.count - 1])
  }

  /// The only row of a line.
  private func row(_ line: [UInt8], end: String = "\n") throws -> Row {
    let rows = try self.line(line, end: end)
    #expect(rows.count == 1)
    return rows[0]
  }

  private func byTokens(_ line: [UInt8], end: String = "\n") throws -> [Row] {
    try self.line([0x20] + line, end: end)
  }

  private static let nasty = [
    // Plain, or nearly.
    #"{}"#, #"{"a":"x"}"#, #"{"a":""}"#, #"{"":""}"#, #"{"a":1}"#, #"{"a":null,"b":true}"#, #"{"a":false,"b":{}}"#,
    #"{"a":[],"b":[[],{}]}"#, #"{"a":{"b":{"a":[1,"x",null]}},"b":"y"}"#, #"{"b":1,"a":2}"#, #"{"z":{"a":1},"a":2}"#,
    #"{"ab":1,"a":2}"#, #"{"A":1}"#, #"{"é":"è"}"#, #"{"z":"日本語","a":"😀"}"#, #"{"a": "x", "b": 1}"#,
    #"{"a":[1, 2, {"b": 3}], "b": {"a": 1, "b": 2}}"#,
    #"{"anameoftwentyeightcharacters":1,"anameofthirtyonecharactersorso_":2}"#,
    #"{"anameoffortycharactersthatnolabelcanhold":3,"anameofthirtyonecharactersorso":4}"#,
    // Of members with one name the last counts, with all that lies inside.
    #"{"a":1,"a":"x"}"#, #"{"a":"x","b":1,"a":null}"#, #"{"event":{"id":"x"},"event":{"id":"y"}}"#,
    #"{"event":{"id":"x","user":{"name":"n"}},"event":{"user":{}}}"#, #"{"event":{"id":"x"},"event":"y"}"#,
    #"{"event":{"id":"x","id":1}}"#, #"{"event":[{"id":"x"}]}"#, #"{"event":{"user":{"name":"n","name":[1]}}}"#,
    // Blanks elsewhere.
    #"{ "a":1}"#, #"{"a" :1}"#, #"{"a":1 }"#, #"{"a":1 ,"b":2}"#, #"{"a":  1}"#, #"{"a":1,  "b":2}"#, #"{"a":[ 1]}"#,
    #"{"a":[1 ],"b":{"z":1 } ,"z":1}"#, #"{"a":{ },"b":[ ]}"#, "{\"a\":\t1}", "{\"a\":1} ", "{\"a\":1}\t ", "{} ",
    // Escapes.
    #"{"a":"\n"}"#, #"{"a":"\""}"#, #"{"a":"\\"}"#, #"{"\u0061":1}"#, #"{"a":"x\"}"#, #"{"a\":1}"#,
    #"{"a":1,"z":"\q"}"#, #"{"a":"\ud83d"}"#, #"{"z\\":1,"a":2}"#,
    // Numbers.
    #"{"a":-0}"#, #"{"a":0.10}"#, #"{"a":1e5}"#, #"{"a":1E-5,"b":-1.5e+9}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.1}"#,
    #"{"a":-}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":1a}"#, #"{"a":123456789012345678901234567890}"#,
    #"{"z":01}"#, #"{"z":[-]}"#, #"{"a":--1}"#, #"{"a":0x1}"#,
    // Words.
    #"{"a":nul}"#, #"{"a":nulll}"#, #"{"a":truefalse}"#, #"{"a":fals}"#, #"{"a":True}"#, #"{"z":tru}"#, #"{"a":n}"#,
    // What is no object, or more than one.
    #"{"#, #"{""#, #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":""#, #"{"a":"x"#, #"{"a":"x""#, #"{"a":"x","#, #"{"a":"x",}"#,
    #"{"a":1,,"b":2}"#, #"{,"a":1}"#, #"{"a":}"#, #"{"a"}"#, #"{"a","b"}"#, #"{"a"::1}"#, #"{"a":"x"y}"#,
    #"{"a":"x""y"}"#,
    #"{"a":1"b":2}"#, #"{"a":"x""b":2}"#, #"{"a":1}}"#, #"{"a":1}{}"#, #"{"a":1},"#, #"{"a":1]"#, #"{"a":[1}"#,
    #"{"a":[1,]}"#,
    #"{"a":[,1]}"#, #"{"a":[1 2]}"#, #"{"a":{"b"}}"#, #"{"a":{"b":}}"#, #"{"a":{"b":1,}}"#, #"{"a":[}"#, #"{"a":{]}"#,
    #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#, #"{"a":'x'}"#, #"{"event":{"id":"x"}"#, #"{"event":{"id":"x"}}}"#,
    "{\"a\":1}\u{feff}",
    // Control characters.
    "{\"a\":\"x\ty\"}", "{\"a\":\"\u{0}\"}", "{\"a\u{1}\":1}", "{\"a\":\"\u{1f}\"}", "{\"a\":\"\u{7f}\"}",
    "{\"a\":1\u{0}}",
    "{\"a\":\"x\r\"}", "{\"a\":1}\r\r", "{\"a\":1\r}", "{\r}",
  ]

  @Test("A line reads the same straight from its bytes and by its tokens", arguments: nasty)
  func hand(line: String) throws {
    let bytes = Array(line.utf8)
    for end in ["\n", "\r\n"] {
      let expected = try byTokens(bytes, end: end)
      #expect(try self.line(bytes, end: end) == expected)
      // Its members are expected by now, in its own order.
      #expect(try self.line(bytes, end: end) == expected)
    }
  }

  @Test("Bytes that are not UTF-8 are found in a line, and not in its neighbours")
  func utf8() throws {
    for bytes in [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]] {
      let line = Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)
      #expect(try row(line).fault == .invalidUTF8)
      #expect(try row(Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8)).fault == .invalidUTF8)
    }
  }

  @Test("Lines nested more and more deeply read the same", arguments: 1...40)
  func nesting(depth: Int) throws {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"b":"#, "}]")] {
      let value = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      for name in ["a", "event", "z"] {
        let line = Array("{\"\(name)\":\(value),\"b\":2}".utf8)
        let found = try row(line)
        #expect(found.fault == nil && found.texts[1] == "2")
        #expect(try [found] == byTokens(line))
        #expect(try self.line(line.dropLast()) == byTokens(line.dropLast()))
      }
    }
  }

  @Test("Texts of any length are whole, wherever they end")
  func lengths() throws {
    for length in Array(0...150) + Array(32_700...32_770) + [65_536, 200_000, longestLine - 30] {
      let text = String(repeating: "x", count: length)
      let found = try row(Array("{\"a\":\"\(text)\",\"b\":\"end\"}".utf8))
      #expect(found.texts[0] == text && found.texts[1] == "end", "\(length)")
      // A byte that no text holds is found at its last place as well.
      for last in ["\u{1f}", "\n\n", "\\"] {
        arena.clear()
        #expect(rows(arena.copy(Array("{\"a\":\"\(text)\(last)\"}".utf8)))[0].fault == .malformed, "\(length)")
      }
    }
  }

  @Test("A line that is too long is, whatever it holds")
  func longest() throws {
    func line(_ length: Int) -> [UInt8] { Array("{\"a\":\"\(String(repeating: "x", count: length - 8))\"}".utf8) }
    #expect(try row(line(longestLine)).fault == nil)
    #expect(try row(line(longestLine + 1)).fault == .lineTooLong)
    #expect(try row(line(longestLine * 2)).fault == .lineTooLong)
  }

  @Test(
    "What stands behind a text is no part of it",
    arguments: [
      (#"{"#, "}\n"), (#"{""#, "a\":1}\n"), (#"{"a"#, "\":1}\n"), (#"{"a""#, ":1}\n"), (#"{"a":"#, "1}\n"),
      (#"{"a":1"#, "}\n"),
      (#"{"a":1"#, "2}\n"), (#"{"a":"x"#, "\"}\n"), (#"{"a":"x""#, "}\n"), (#"{"a":"x","#, "\"b\":1}\n"),
      (#"{"a":["#, "]}\n"),
      (#"{"a":[1"#, "]}\n"), (#"{"a":[1,"#, "1]}\n"), (#"{"a":tru"#, "e}\n"), (#"{"a":{"b":1"#, "}}\n"),
      (#"{"a":{"#, "}}\n"),
      (#"{"a":1,"#, "\"b\":\"\"}\n"), (#"{"event":{"id":"x""#, "}}\n"), (#"{"a":-"#, "1}\n"), (#"{"a":1."#, "5}\n"),
    ])
  func padding(text: String, behind: String) {
    arena.clear()
    let held = arena.copy(Array((text + behind).utf8))
    #expect(rows(held.slice(0..<text.utf8.count)).map(\.fault) == [.malformed])
    #expect(rows(held).map(\.fault) == [nil])
  }

  @Test("Damaged lines read the same")
  func damaged() throws {
    let seed: UInt64 = 3145
    var random = Dice(seed: seed)
    let seeds =
      Self.nasty.prefix(27).map { Array($0.utf8) } + [
        Array(
          #"{"a":"x","b":12.50,"event":{"id":"7","user":{"name":"n"},"z":[1,{"d":null}]},"z":{"y":[true,"w"]}}"#.utf8)
      ]
    let alphabet = Array("{}[]\",:\\ 0123456789.-+ntrua\t\r\u{1}".utf8) + [0x80, 0xc3, 0xa9, 0xff]
    let pieces = [
      #""a":1,"#, #","b":"y""#, #""event":{"id":"q"},"#, ", ", ": ", "{}", "[]", "null", #""""#, #"\u00e9"#, "é",
      #""event":null,"#,
    ].map { Array($0.utf8) }
    var sound = 0
    for round in 0..<20_000 {
      var line = random.pick(seeds)
      for _ in 0..<random.below(4) {
        let place = random.below(line.count)
        switch random.below(5) {
        case 0: line[place] = random.pick(alphabet)
        case 1: line.insert(random.pick(alphabet), at: place)
        case 2 where line.count > 2: line.remove(at: place)
        case 3: line.insert(contentsOf: random.pick(pieces), at: place)
        default: line.swapAt(place, random.below(line.count))
        }
      }
      guard line.contains(where: { ![0x20, 0x09, 0x0d].contains($0) }) else { continue }
      let found = try self.line(line)
      if found.allSatisfy({ $0.fault == nil }) { sound += 1 }
      let expected = try byTokens(line)
      guard found == expected else {
        Issue.record(
          "seed \(seed), round \(round): \(String(decoding: line, as: UTF8.self)): \(found), not \(expected)")
        return
      }
    }
    #expect((4000..<16_000).contains(sound))
  }

  @Test("A text in memory reads the same as a line")
  func memory() {
    let reader = JSONObjectReader<Known>(and: Array(Self.names.dropFirst(2)))
    func object(_ line: String) -> Row? {
      reader.read(arena.copy(Array(line.utf8))).map { object in
        let fields = (0..<Self.names.count).map { object.fields[$0] }
        return Row(fault: nil, kinds: fields.map(\.kind), texts: fields.map(\.string))
      }
    }
    for line in Self.nasty {
      // One that is plain comes between, so that the next is tried as one.
      #expect(object(#"{"a":1}"#)?.texts.first == "1")
      #expect(object(line) == object(" " + line), "\(line)")
    }
    #expect(object("{\"a\":1}\n")?.texts.first == "1")
    #expect(object("{\"a\":1,\n\"b\":2}\r\n")?.texts[1] == "2")
  }

  private enum Known: Int, JSONMember {
    case a, b
    var source: SourceField { SourceField(name: String(describing: self)) }
  }

  @Test("Plain lines behind many that are not are read all the same")
  func stretches() {
    let lines = (0..<4000).map { number in
      // Stretches of plain lines, of escapes, of blanks, and of lines that are broken.
      switch number / 300 % 5 {
      case 0, 3: "{\"a\":\"\(number)\",\"b\":\(number)}"
      case 1: "{\"a\":\"\(number)\",\"b\":\(number),\"z\":\"\\n\"}"
      case 2: "{ \"a\" : \"\(number)\", \"b\" : \(number) }"
      default: number % 2 == 0 ? "{\"a\":\"\(number)\",\"b\":\(number)" : "{\"a\":\"\(number)\",\"b\":\(number)}"
      }
    }
    var found: [Row] = []
    for start in stride(from: 0, to: lines.count, by: 2000) {
      arena.clear()
      found += rows(arena.copy(Array(lines[start..<start + 2000].joined(separator: "\n").utf8)))
    }
    #expect(found.count == lines.count)
    for (number, row) in found.enumerated() {
      let isBroken = number / 300 % 5 == 4 && number % 2 == 0
      #expect(row.fault == (isBroken ? .malformed : nil), "\(number)")
      if !isBroken { #expect(row.texts.prefix(2) == ["\(number)", "\(number)"], "\(number)") }
    }
  }
}
