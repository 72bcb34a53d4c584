import Foundation
import Synchronization
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Files read in turns")
struct FileShareTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: - The same rows

  @Test("Objects are whole, with their line and byte, however they end", arguments: ["\n", "\r\n", "\n\n \n"])
  func objects(end: String) throws {
    let lines = (0..<900).map { "{\"a\":\($0),\"pad\":\"\(String(repeating: "x", count: 150 + $0 % 61))\"}" }
    let text = (lines + ["{\"a\":", "[]", "{\"a\":\"é\"}"]).joined(separator: end)
    for text in [text, text + end, "\u{FEFF}" + text] {
      try expectSame(Array(text.utf8), [7, 300, 5_000]) { JSONLines(names: ["a"]) }
    }
  }

  @Test("Fields keep the line breaks and delimiters that stand in quotes")
  func quotes() throws {
    let rows = (0..<1_500).map { number in
      switch number % 5 {
      case 0: "u\(number),\"a \"\"note\"\", of\ntwo lines\n\",\(number)"
      case 1: "u\(number),plain,\(number)\r"
      case 2: "u\(number),\"cut \(String(repeating: "\n,\"\"", count: number % 200))\",\(number)"
      case 3: "u\(number),bare \" quote,\(number)"
      default: "\n  \nu\(number),\(String(repeating: "pad ", count: 10)),\(number)"
      }
    }
    let text = "id,note,number\n" + rows.joined(separator: "\n")
    for text in [text, text + "\n", "\u{FEFF}" + text + "\r\n"] {
      try expectSame(Array(text.utf8)) { CSVFormat(binding: columns(["number", "id", "note"]), delimiter: nil) }
    }
  }

  @Test("A quote that is not closed, or closed too early, spoils the rows that it does in a file read alone")
  func damagedQuotes() throws {
    for damage in ["u,\"a\"b,1", "u,\"open,1", "\"", "u,a,1,\"", "u,\"a\" ,1\r"] {
      let rows = (0..<4_000).map { $0 == 2_345 ? damage : "u\($0),\"a, b\",\($0)" }
      try expectSame(Array(("id,note,number\n" + rows.joined(separator: "\n")).utf8)) {
        CSVFormat(binding: columns(["number", "id", "note"]), delimiter: nil)
      }
    }
  }

  @Test("Long rows are read, and those too long to be held set aside", arguments: [1, 300, 1100, 5000])
  func longRows(kibibytes: Int) throws {
    let long = "{\"a\":\"" + String(repeating: "y", count: kibibytes << 10) + "\"}"
    let short = (0..<5_000).map { "{\"a\":\($0),\"pad\":\"\(String(repeating: "x", count: 50))\"}" }
    for lines in [short + [long] + short, short + [long]] {
      try expectSame(Array(lines.joined(separator: "\n").utf8), [70_000]) { JSONLines(names: ["a"]) }
    }
  }

  @Test("Every member of a gzip file is read, empty ones too")
  func members() throws {
    let text = Array((0..<9_000).map { "{\"a\":\($0)}\n" }.joined().utf8)
    let cuts = [0, 1, 70_001, 70_001, 90_000, text.count]
    let packed = zip(cuts, cuts.dropFirst()).flatMap { Gzip.member(text[$0..<$1]) }
    try expectSame(packed) { JSONLines(names: ["a"]) }
  }

  @Test("A table without an end of rows to be seen is read by one alone")
  func mysql() throws {
    let text = (0..<9_000).map { "\($0)\tnote\\\n\n" }.joined()
    let file = try folder.write("table", text)
    let alone = try reading(file, as: Self.table, width: 2)
    var turns = try Turns(file)
    try turns.read { try Self.table }
    #expect(turns.rows == alone.rows)
    #expect(turns.readings.count == 1)
  }

  private static var table: MySQLFormat {
    get throws {
      try MySQLFormat(dialect: MySQLDialect(), binding: columns(["id", "note"]), columnOrder: ["id", "note"])
    }
  }

  private func expectSame<Format: RecordFormat>(
    _ bytes: [UInt8], _ chunks: [Int] = [300, 5_000], _ format: () throws -> Format,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let file = try folder.write("file", bytes)
    let alone = try reading(file, as: format(), width: format() is CSVFormat ? 3 : 1)
    for chunk in chunks {
      var turns = try Turns(file, chunk: chunk)
      try turns.read(format)
      #expect(turns.readings.count > 1, sourceLocation: location)
      guard turns.rows == alone.rows else {
        let position = zip(turns.rows, alone.rows).first { $0 != $1 }
        let what = position.map { "\($0), not \($1)" } ?? "rows lack"
        Issue.record("in stretches of \(chunk): \(what)", sourceLocation: location)
        return
      }
      #expect(turns.merged?.reported == alone.reading.reported, sourceLocation: location)
    }
  }

  // MARK: - Damage

  @Test("A damaged file is left out whole by all who read it, or fails the run", arguments: [0.6, 0.9, 1])
  func damaged(position: Double) throws {
    let text = Array((0..<20_000).map { "{\"a\":\($0 * 7_919 % 20_011)}\n" }.joined().utf8)
    var packed = Gzip.member(text)
    packed[min(Int(position * Double(packed.count)), packed.count - 1)] ^= 0x10
    let file = try folder.write("log.gz", packed)
    var format = JSONLines(names: ["a"])
    var alone = FileReading(input: "test", file: file)
    let isWhole = try alone.read(file, as: &format, width: 1, onCorrupt: .skip, limit: nil) { _, _ in }
    #expect(!isWhole)
    var turns = try Turns(file)
    try turns.read(onCorrupt: .skip) { JSONLines(names: ["a"]) }
    #expect(turns.readings.count > 1)
    #expect(turns.readings.allSatisfy { !$0.isWhole })
    #expect(turns.merged?.reported == alone.reported)
    var failing = try Turns(file)
    let error = #expect(throws: OfferliftError.self) { try failing.read { JSONLines(names: ["a"]) } }
    #expect(error?.exit == .badData)
    #expect(alone.warning?.hasPrefix(error?.message.prefix { $0 != ":" } ?? "?") == true)
  }

  @Test("What rows fail with goes before what is damaged behind them")
  func failingRows() throws {
    let file = try folder.write("log", (0..<9_000).map { "{\"a\":\($0)}\n" }.joined())
    let turns = try Turns(file)
    let share = try #require(turns.share)
    let damage = CorruptFile(file: "log", byte: 1, what: "is damaged")
    share.fail(9, damage)
    #expect(share.failureOfRows == nil)
    share.fail(5, OfferliftError(.badData, "five"))
    share.fail(7, OfferliftError(.badData, "seven"))
    #expect((share.failureOfRows as? OfferliftError)?.message == "five")
  }
}
