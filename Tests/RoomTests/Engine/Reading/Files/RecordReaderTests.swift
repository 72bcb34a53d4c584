import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Files of JSON Lines, window by window")
struct RecordReaderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ bytes: some Sequence<UInt8>) throws -> (rows: [PlainRow], reading: FileReading) {
    try reading(folder.write("log.jsonl", bytes), as: JSONLines(names: ["a"]), width: 1)
  }

  @Test("A byte order mark is passed over at the head of any line")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let found = try read(mark + Array("{\"a\":1}\n".utf8) + mark + Array("{\"a\":2}".utf8)).rows
    #expect(found.map(\.fault) == [nil, nil])
    #expect(found[0].offset == 3)
    #expect(try read(mark).rows.isEmpty)
    #expect(try read(mark + [0x0a]).rows.isEmpty)
  }

  @Test("Files of no or one byte are read", arguments: ["", "\n", " ", "{"])
  func tiny(text: String) throws {
    let (rows, reading) = try read(text.utf8)
    #expect(rows.map(\.fault) == (text == "{" ? [.malformed] : []))
    #expect(reading.account.isBalanced)
    #expect(reading.account.bytes == Int64(text.utf8.count))
  }

  @Test("Rows across windows of two MiB are whole, with their line and byte")
  func windows() throws {
    let lines = (0..<24_000).map { "{\"a\":\($0),\"pad\":\"\(String(repeating: "x", count: 150 + $0 % 61))\"}\n" }
    let text = lines.joined()
    try #require(text.utf8.count > 4 << 20)
    let found = try read(text.utf8).rows
    #expect(found.count == lines.count)
    var offset: Int64 = 0
    for (number, row) in found.enumerated() {
      guard row == PlainRow(line: number + 1, offset: offset, fault: nil, fields: ["\(number)"]) else {
        Issue.record("row \(number): \(row), expected at byte \(offset)")
        return
      }
      offset += Int64(lines[number].utf8.count)
    }
  }

  @Test("Lines longer than a MiB are set aside, however long, and the next line is read", arguments: [1, 2, 3, 5])
  func tooLong(mebibytes: Int) throws {
    let long = "{\"a\":\"" + String(repeating: "y", count: mebibytes << 20) + "\"}\n"
    let (rows, reading) = try read(("{\"a\":1}\n" + long + "{\"a\":2}\n").utf8)
    #expect(rows.filter { $0.fault == nil }.map(\.fields.first) == ["1", "2"])
    #expect(rows.last?.line == 3)
    #expect(reading.account.rows == 3)
    #expect(reading.account.setAside == [.lineTooLong: 1])
    #expect(reading.account.isBalanced)
    #expect(reading.rejects.all.map(\.line) == [2])
    #expect(reading.rejects.all.map(\.byteOffset) == [8])
    #expect(reading.rejects.all.first?.excerpt.count == Reject.excerptLength)
  }

  @Test("A file that is one endless line is one reject")
  func endless() throws {
    let (rows, reading) = try read([UInt8](repeating: UInt8(ascii: "["), count: 5 << 20))
    #expect(rows.isEmpty)
    #expect(reading.account.setAside == [.lineTooLong: 1])
  }

  @Test("A reject keeps the row's first 200 bytes")
  func excerpt() throws {
    let reading = try read(("{\"a\":\"" + String(repeating: "z", count: 500) + "\"\n{x}\n").utf8).reading
    #expect(reading.rejects.all.map(\.excerpt.count) == [200, 3])
    #expect(reading.rejects.all.last?.detail == "the line is not exactly one valid JSON object")
  }

  @Test("A damaged file fails the run, or under on_corrupt: skip is one row set aside")
  func corrupt() throws {
    let packed = Gzip.member("{\"a\":1}\n".utf8).dropLast()
    let file = try folder.write("cut.gz", packed)
    var format = JSONLines(names: ["a"])
    var account = FileReading(input: "test", file: file)
    let error = #expect(throws: OfferliftError.self) {
      try account.read(file, as: &format, width: 1, onCorrupt: .fail, limit: nil) { _, _ in }
    }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("cut.gz, byte \(packed.count): ") == true)
    account = FileReading(input: "test", file: file)
    let isWhole = try account.read(file, as: &format, width: 1, onCorrupt: .skip, limit: nil) { batch, reading in
      reading.account.outcomes.use(batch.count)
    }
    #expect(!isWhole)
    #expect(account.account.rows == 1)
    #expect(account.account.used == 0)
    #expect(account.account.setAside == [.corruptFile: 1])
    #expect(account.account.bytes == Int64(packed.count))
  }

  @Test("Enough rows are enough where a limit is set")
  func limit() throws {
    let file = try folder.write("many.jsonl", (0..<9000).map { "{\"a\":\($0)}\n" }.joined())
    var format = JSONLines(names: ["a"])
    var account = FileReading(input: "test", file: file)
    _ = try account.read(file, as: &format, width: 1, onCorrupt: .fail, limit: 10) { batch, reading in
      reading.account.outcomes.use(batch.count)
    }
    #expect((10..<9000).contains(account.account.rows))
  }
}
