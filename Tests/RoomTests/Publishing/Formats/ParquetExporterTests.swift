import Testing

@testable import Parquet
@testable import Platform
@testable import Publishing

@Suite("Tables as Parquet")
struct ParquetExporterTests {
  private static func columns(_ types: [(String, Table.ColumnType)]) -> [Table.Column] {
    types.map { Table.Column(name: $0.0, type: $0.1, isKey: false, meaning: "") }
  }

  /// What the file of a table says, by column.
  private static func written(_ table: Table) throws -> [String: [String?]] {
    let folder = try TemporaryFolder()
    let writer = try FileWriter(creating: folder.path("table.parquet"))
    try ParquetExporter.write(table, to: writer)
    try writer.finish()
    let file = try ParquetFile(folder.path("table.parquet"), displayName: "table.parquet")
    var rows = ParquetRows(file, file.columns.map(\.node))
    var found: [String: [String?]] = [:]
    for column in file.columns { found[column.node.path] = [] }
    while try rows.next(atMost: 2048) > 0 {
      for (column, cells) in zip(file.columns, rows.cells) {
        for row in 0..<cells.count {
          let text = String(decoding: cells.bytes[cells.range(row)], as: UTF8.self)
          found[column.node.path]?.append(cells.isNull[row] ? nil : text)
        }
      }
    }
    return found
  }

  @Test("Cells keep their types, what is exact stays so, and what is empty is NULL")
  func cells() throws {
    let table = Table(
      name: "all",
      columns: Self.columns([
        ("text", .text), ("flag", .flag), ("whole", .integer), ("number", .real), ("day", .date), ("time", .instant),
        ("money", .amount), ("sum", .sum),
      ]),
      rows: [
        [
          .text("ä,\"b\""), .flag(true), .integer(-7), .real(0.1), .text("2026-02-28"), .text("2026-03-31T22:00:00Z"),
          .micros(7_990_001), .integer(Int128(Int64.max) * 1_000_000_000),
        ],
        [.text(""), .flag(false), .integer(0), .real(-1e-7), .empty, .empty, .integer(12), .integer(0)],
        [.empty, .empty, .empty, .empty, .empty, .empty, .empty, .empty],
      ])
    #expect(
      try Self.written(table) == [
        "text": ["ä,\"b\"", "", nil], "flag": ["true", "false", nil], "whole": ["-7", "0", nil],
        "number": ["0.1", "-0.0000001", nil], "day": ["2026-02-28", nil, nil],
        "time": ["2026-03-31T22:00:00Z", nil, nil], "money": ["7.990001", "12", nil],
        "sum": ["9223372036854775807000000000", "0", nil],
      ])
  }

  @Test("A table of many rows is written in row groups", arguments: [0, 1, 8, 65_535, 65_536, 65_537])
  func rowGroups(count: Int) throws {
    let table = Table(
      name: "many", columns: Self.columns([("number", .integer)]), rows: (0..<count).map { [.integer(Int128($0))] })
    #expect(try Self.written(table)["number"] == (0..<count).map { "\($0)" })
  }
}
