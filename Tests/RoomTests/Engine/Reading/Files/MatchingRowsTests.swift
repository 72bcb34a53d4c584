import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Rows in which something stands")
struct MatchingRowsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Lines and first fields of the rows that are read, and the witness's copies of them.
  private func rows(
    _ text: String, _ format: TableFormat, seeking word: String, columns: [String]? = nil
  ) throws -> (read: [Int: String], bytes: [Int: String], header: String) {
    var file = try folder.write("table", text)
    let witness = RowWitness()
    file.part = .search(RowSearch(words: [Array(word.utf8)], witness: witness))
    var input = TableInput(name: "table", path: "table", line: 1)
    (input.format, input.columnOrder) = (format, columns)
    let table = TableFile(
      input: input, file: file, fields: ["id"], isRequired: [true], job: .plain())
    var (read, bytes): ([Int: String], [Int: String]) = ([:], [:])
    _ = try table.read { batch, _ in
      for row in 0..<batch.count {
        read[batch.line(of: row)] = batch.fields(of: row)[0].string
        bytes[batch.line(of: row)] = String(decoding: witness.bytes(at: batch.byteOffset(of: row)), as: UTF8.self)
      }
    }
    return (read, bytes, String(decoding: witness.header, as: UTF8.self))
  }

  @Test("Over windows of two MiB only the rows that are sought are read, with their lines")
  func windows() throws {
    let sought: Set<Int> = [5_000, 5_001, 11_999, 12_500, 23_999, 24_000]
    let lines = (1...24_000).map { number in
      "{\"id\":\"\(sought.contains(number) ? "u1" : "u\(number + 7)")\",\"pad\":\"\(String(repeating: "x", count: 150 + number % 61))\"}"
    }
    let (read, bytes, _) = try rows(lines.joined(separator: "\n"), .jsonl, seeking: "u1")
    #expect(Set(read.filter { $0.value == "u1" }.keys) == sought)
    // The first rows are read whatever they say.
    #expect(read.count < 2_100)
    for line in sought { #expect(bytes[line] == lines[line - 1]) }
  }

  @Test("A word may be hidden behind an escape, in quotes, or on a row's second line")
  func hidden() throws {
    let filler = { (row: String) in Array(repeating: row, count: 3_000).joined() }
    let json = filler("{\"id\":\"x\"}\n") + "{\"id\":\"\\u0075\\u0031\"}\n{\"id\":\"u11\"}\n"
    #expect(try rows(json, .jsonl, seeking: "u1").read.filter { $0.value != "x" } == [3_001: "u1"])
    let csv = "note,id\n" + filler("a,x\n") + "\"two\nlines\",u1\nb,\"u1\"\nc,u1\r\n"
    let found = try rows(csv, .csv, seeking: "u1")
    #expect(found.read.filter { $0.value != "x" } == [3_002: "u1", 3_004: "u1", 3_005: "u1"])
    #expect(found.bytes[3_002] == "\"two\nlines\",u1")
    #expect(found.header == "note,id\n")
    let mysql = filler("x\ta\n") + "\\u1\tb\\\nc\nu1\t\\N\n"
    let ofTable = try rows(mysql, .mysql, seeking: "u1", columns: ["id", "note"]).read
    #expect(ofTable.filter { $0.value != "x" } == [3_001: "u1", 3_003: "u1"])
  }
}
