import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Rows of Parquet files")
struct ParquetTableTests {
  private static func file(_ name: String) throws -> WrittenFile {
    try #require(WrittenFile.all.first { $0.name == name })
  }

  /// What the fields of a file's rows say.
  private static func read(
    _ bytes: some Sequence<UInt8>, _ fields: [String], as format: TableFormat = .csv, isRequired: Bool = false,
    onCorrupt: Job.OnCorrupt = .fail
  ) throws -> (rows: [PlainRow], result: TableFile.Result) {
    let folder = try TemporaryFolder()
    let file = try folder.write("users.parquet", bytes)
    let table = TableFile(
      input: TableInput("assignments", path: "users.parquet", format: format), file: file, fields: fields,
      isRequired: fields.map { _ in isRequired }, job: .plain(onCorrupt))
    var rows: [PlainRow] = []
    let result = try table.read { batch, _ in rows += (0..<batch.count).map { plainRow($0, of: batch) } }
    return (rows, result)
  }

  @Test("Rows go by their numbers, columns by their names", arguments: [TableFormat.csv, .jsonl])
  func rows(format: TableFormat) throws {
    let file = try Self.file("without dictionaries")
    let (rows, result) = try Self.read(file.bytes, ["long", "word", "nothing"], as: format)
    let words = try #require(file.columns["word"])
    let longs = try #require(file.columns["long"])
    #expect(rows.count == words.count)
    // A table has no cell that is empty and not missing.
    let wanted = format == .csv ? words.map { $0 == "" ? nil : $0 } : words
    #expect(rows.map { $0.fields[1] } == wanted)
    #expect(rows.map { $0.fields[0] } == longs)
    #expect(rows.allSatisfy { $0.fields[2] == nil })
    #expect(rows.map(\.line) == Array(1...rows.count))
    #expect(result.isWhole)
    #expect(result.reading.account.rows == rows.count)
    #expect(result.reading.account.bytes == Int64(file.bytes.count))
  }

  @Test("Members of groups go by dotted names, and what is nested is JSON", arguments: [TableFormat.csv, .jsonl])
  func nested(format: TableFormat) throws {
    let file = try Self.file("nested, pages 1.0")
    let fields = ["data.price", "data.name", "rows", "map", "data"]
    let (rows, _) = try Self.read(file.bytes, fields, as: format)
    for (position, field) in fields.enumerated() { #expect(rows.map { $0.fields[position] } == file.columns[field]) }
  }

  @Test("A table without a column that it needs says which columns there are")
  func missingColumn() throws {
    let file = try Self.file("without dictionaries")
    #expect {
      try Self.read(file.bytes, ["words"], isRequired: true)
    } throws: { error in
      let error = error as? OfferliftError
      return error?.exit == .badJobFile && error?.message.contains("Did you mean \"word\"?") == true
    }
  }

  @Test("Damage ends a run with the file, the row group and the column, or leaves the whole file out")
  func damage() throws {
    let file = try Self.file("none, pages 1.0")
    var bytes = Array(file.bytes)
    let position = try #require(bytes.indices.first { bytes[$0...].starts(with: "same".utf8) })
    bytes[position] = UInt8(ascii: "S")
    #expect {
      try Self.read(bytes, ["word"])
    } throws: { error in
      let error = error as? OfferliftError
      return error?.exit == .badData
        && error?.message.hasPrefix("users.parquet is a Parquet file that cannot be read: row group 1, column word")
          == true
    }
    // Columns that are not asked for are not looked at.
    #expect(try Self.read(bytes, ["long"]).result.isWhole)
    let result = try Self.read(bytes, ["word"], onCorrupt: .skip).result
    #expect(!result.isWhole)
    #expect(result.reading.account.rows == 1)
    #expect(result.reading.account.setAside == [.corruptFile: 1])
  }

  @Test("Bytes that are no text are a reject that names the column")
  func binary() throws {
    let file = try Self.file("others")
    var bytes = Array(file.bytes)
    let position = try #require(bytes.indices.first { bytes[$0...].starts(with: "abcdefghi".utf8) })
    bytes[position + 1] = 0xff
    let (rows, _) = try Self.read(bytes, ["fixed", "u8"])
    #expect(rows.map(\.fault) == [.invalidUTF8, nil, nil, nil, nil, nil])
  }

  @Test("Inside of gzip it is refused, with what to do")
  func packed() throws {
    let file = try Self.file("no rows")
    #expect {
      try Self.read(Gzip.member(Array(file.bytes)), ["word"])
    } throws: { error in
      (error as? OfferliftError)?.message.contains("unpack it") == true
    }
  }
}
