import Foundation
import Testing

@testable import Spark

@Suite("Rows between tasks")
struct TaskRowTests {
  @Test("A row comes back as it was written, whatever is in it")
  func roundTrip() throws {
    let row = TaskRow(.events, partition: 17, file: "1:a\tb\né", bytes: [0, 9, 10, 13, 255])
    let line = row.line
    #expect(line.last == UInt8(ascii: "\n") && line.count(where: { $0 == UInt8(ascii: "\n") }) == 1)
    let back = try #require(TaskRow(line.dropLast()))
    #expect(back.kind == .events && back.partition == 17 && back.file == row.file && back.bytes == row.bytes)
    #expect(back.checksum == row.checksum)
    #expect(try #require(TaskRow(TaskRow(.names, bytes: []).line.dropLast())).partition == nil)
  }

  @Test(
    "A row that is cut short, or none, is refused",
    arguments: [
      "", "events\t1\t\tAAAA", "events\t1\t\tAAAA\t", "events\tx\t\tAAAA\t.", "none\t1\t\tAAAA\t.", "events\t1\t\t=\t.",
    ])
  func refused(line: String) {
    #expect(TaskRow(Array(line.utf8)[...]) == nil)
  }

  @Test("What a line reader reads is what was written, in pieces of any size")
  func lines() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 3_000_000)
    try folder.write("lines", "a\n\n\(long)\nlast")
    let reader = LineReader(try #require(FileHandle(forReadingAtPath: folder.path("lines"))))
    var lines: [String] = []
    while let line = try reader.line() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == ["a", "", long, "last"])
  }

  @Test("The words of a command line are a shell's")
  func words() throws {
    #expect(
      try ShellWords.split("  spark-sql --conf 'a=b c' --name \"x \\\" y\" z\\ w ''")
        == ["spark-sql", "--conf", "a=b c", "--name", "x \" y", "z w", ""])
    #expect(throws: (any Error).self) { try ShellWords.split("spark-sql 'open") }
    for word in ["plain", "a b", "it's", "", "local-cluster[2,1,1024]"] {
      #expect(try ShellWords.split(ShellWords.quoted(word)) == [word])
    }
  }
}
