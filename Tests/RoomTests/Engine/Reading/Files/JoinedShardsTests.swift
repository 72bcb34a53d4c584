import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Shards that were joined")
struct JoinedShardsTests {
  private let mark = "\u{feff}"

  private func json(_ text: String, step: Int = .max) throws -> [PlainRow] {
    try rows(text, as: JSONLines(names: ["a"]), width: 1, step: step)
  }

  private func csv(_ text: String, step: Int = .max) throws -> [PlainRow] {
    try rows(text, as: CSVFormat(binding: columns(["a", "b"]), delimiter: nil), width: 2, step: step)
  }

  private func mysql(_ text: String, step: Int = .max) throws -> [PlainRow] {
    var dialect = MySQLDialect()
    dialect.hasHeader = true
    let format = try MySQLFormat(dialect: dialect, binding: columns(["a", "b"]), columnOrder: nil)
    return try rows(text, as: format, width: 2, step: step)
  }

  // MARK: - Marks

  @Test("A byte order mark at the head of any line of JSON is skipped", arguments: [Int.max, 1, 2, 3, 7, 11])
  func marksInJSON(step: Int) throws {
    let text =
      "\(mark){\"a\":1}\n\(mark){\"a\":2}\r\n\(mark)\(mark) {\"a\":\"x\\n\"}\n\(mark)\n{\"a\":4}\n\(mark){\"b\":5"
    let found = try json(text, step: step)
    #expect(found.map(\.fields) == [["1"], ["2"], ["x\n"], ["4"], []])
    #expect(found.map(\.line) == [1, 2, 3, 5, 6])
    #expect(found.map(\.offset) == [3, 14, 29, 46, 57])
    #expect(found.last?.fault == .malformed)
  }

  @Test("A byte order mark at the head of any row of a table is skipped", arguments: [Int.max, 1, 2, 3, 5, 8])
  func marksInTables(step: Int) throws {
    let text = "\(mark)a,b\n\(mark)1,2\n\(mark)\"3\n3\",4\n\n\(mark)\(mark)\n5,\(mark)\n"
    let found = try csv(text, step: step)
    #expect(found.map(\.fields) == [["1", "2"], ["3\n3", "4"], ["5", mark]])
    #expect(found.map(\.line) == [2, 3, 7])
    #expect(found.map(\.offset) == [10, 17, 33])
    let dump = try mysql("\(mark)a\tb\n\(mark)1\t2\n\(mark)3\\\n3\t4\n5\t\(mark)\n", step: step)
    #expect(dump.map(\.fields) == [["1", "2"], ["3\n3", "4"], ["5", mark]])
  }

  // MARK: - Headers

  @Test("A line like the file's own header is no row", arguments: [Int.max, 1, 4, 9])
  func headers(step: Int) throws {
    let text = "b,a,\"c\"\r\n1,2,3\r\nb,a,\"c\"\r\n\(mark)b,a,\"c\"\r\n4,5,6\r\n\"b\",a,c\r\nb,a\r\nb,a,\"c\""
    let found = try csv(text, step: step)
    #expect(found.map(\.fields) == [["2", "1"], ["5", "4"], ["a", "b"], []])
    #expect(found.map(\.line) == [2, 5, 6, 7])
    #expect(
      try mysql("b\ta\n1\t2\nb\ta\n\(mark)b\ta\n3\t4\nb\ta", step: step).map(\.fields) == [["2", "1"], ["4", "3"]])
  }

  @Test("Where several read one file, marks and headers come to the same")
  func turns() throws {
    let folder = try TemporaryFolder()
    let shard = { (number: Int) in
      "\(mark)a,b\n" + (0..<40).map { "\(number),\"line\n\($0)\"\n" }.joined()
    }
    let file = try folder.write("table.csv", (0..<400).map(shard).joined())
    let found = try reading(file, as: CSVFormat(binding: columns(["a", "b", "c"]), delimiter: nil), width: 3)
    #expect(found.reading.account.rows == 16_000)
    #expect(found.rows.allSatisfy { $0.fault == nil })
    var queue = try Turns(file, chunk: 700)
    try queue.read { CSVFormat(binding: columns(["a", "b", "c"]), delimiter: nil) }
    #expect(queue.readings.count > 1)
    #expect(queue.rows == found.rows)
  }

  // MARK: - Several objects a line

  @Test("Each object of a line is a row, with the line's number and its own place")
  func objects() throws {
    let text = "{\"a\":1}{\"a\":2}\n{\"a\":\"}{\"} \t{\"a\":{\"b\":\"\\\"}\"}}\r\n\(mark){\"a\":5}\(mark){}\n{\"a\":6}"
    let found = try json(text)
    #expect(found.map(\.fields) == [["1"], ["2"], ["}{"], ["{\"b\":\"\\\"}\"}"], ["5"], [nil], ["6"]])
    #expect(found.map(\.line) == [1, 1, 2, 2, 3, 3, 4])
    #expect(found.map(\.offset) == [0, 7, 15, 27, 49, 59, 62])
  }

  @Test("What is no object behind one spoils that one and no other", arguments: 1...60)
  func rest(step: Int) throws {
    let text =
      "{\"a\":1}{\"a\":\n{\"a\":2}  }\n{\"a\":3}, {\"a\":4}\n{\"a\":x}{\"a\":5}\n{\"a\":\"6}{\"a\":7}\n{\"a\":8}"
    let whole = try json(text)
    #expect(
      whole.map(\.fault) == [nil, .malformed, .malformed, .malformed, .malformed, nil, .malformed, nil])
    #expect(whole.filter { $0.fault == nil }.map(\.fields) == [["1"], ["5"], ["8"]])
    #expect(whole.map(\.offset) == [0, 7, 13, 24, 41, 48, 56, 72])
    #expect(try json(text, step: step) == whole)
  }

  /// `count` objects and what stands between them.
  private func line(_ count: Int, _ gap: String = "") -> String {
    (0..<count).map { "{\"a\":\"\($0)\",\"pad\":\"\(String(repeating: "x", count: 100 + $0 % 37))\"}" }.joined(
      separator: gap)
  }

  @Test("A line of megabytes is read object by object, alone and in turns", arguments: ["", " ", "\u{feff}"])
  func longLine(gap: String) throws {
    let folder = try TemporaryFolder()
    let count = 40_000
    let text = "{\"a\":\"first\"}\n" + line(count, gap) + "\r\n{\"a\":\"last\"}\n"
    let file = try folder.write("log.jsonl", text)
    let alone = try reading(file, as: JSONLines(names: ["a"]), width: 1)
    #expect(alone.rows.count == count + 2)
    #expect(alone.rows.map(\.fields) == [["first"]] + (0..<count).map { ["\($0)"] } + [["last"]])
    #expect(Set(alone.rows.dropFirst().dropLast().map(\.line)) == [2])
    #expect(alone.rows.last?.line == 3)
    for chunk in [5_000, 300_000] {
      var turns = try Turns(file, chunk: chunk)
      try turns.read { JSONLines(names: ["a"]) }
      #expect(turns.readings.count > 1)
      #expect(turns.rows == alone.rows)
    }
  }
}
