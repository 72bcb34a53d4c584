import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("Tables read back from CSV")
struct CSVTableReaderTests {
  private func read(_ csv: String, as table: any ResultTable) throws -> Publishing.Table {
    try CSVTableReader.read(Array(csv.utf8), as: table)
  }

  private func funnels(_ csv: String) throws -> [Publishing.Table.Row<FunnelsTable>] {
    try read(csv, as: FunnelsTable()).rows(of: FunnelsTable())
  }

  @Test("Every table of a night is read back as it was")
  func everyTable() throws {
    let night = try CountedNight.everything()
    for table in ResultTables.all {
      let written = try PublishedNight.held(table.table(of: night))
      let read = try CSVTableReader.read(CSVExporter.bytes(of: written), as: table)
      #expect(read.columns == written.columns)
      // CSV has one way to write no text and an empty one.
      let known = written.rows.map { $0.map { $0 == .text("") ? .empty : $0 } }
      #expect(read.rows == known && !known.isEmpty, "\(table.name)")
    }
  }

  @Test("Columns are found by name in any order, and those that an older file lacks are empty")
  func columns() throws {
    let rows = try funnels("users,funnel,unknown\n7,'=f,1\nshort\n")
    #expect(rows.map(\.users) == [7])
    #expect(rows.map(\.funnel) == ["=f"])
    #expect(rows.map(\.immature) == [nil] && rows.map(\.isReachable) == [nil])
  }

  @Test("A cell that does not hold what its column should is empty")
  func unfit() throws {
    let rows = try funnels("users,of_first,reachable\nmany,inf,yes\n12,0.5,false\n")
    #expect(rows.map(\.users) == [nil, 12])
    #expect(rows.map(\.ofFirst) == [nil, 0.5])
    #expect(rows.map(\.isReachable) == [nil, false])
  }

  @Test(
    "Exact sums are money where they have six decimals",
    arguments: [
      ("12.345678", 12_345_678), ("-0.500000", -500_000), ("12", nil), ("1.5", nil), ("", nil), (".000000", nil),
      ("1e5.000000", nil),
    ] as [(String, Int128?)])
  func exact(text: String, micros: Int128?) throws {
    let rows = try read("gross,users\n\(text),1\n", as: OutsideTable()).rows(of: OutsideTable())
    #expect(rows.map(\.gross) == [micros])
  }

  @Test("A quote that never ends is no table")
  func unfinished() {
    #expect(throws: CSVRecords.UnfinishedQuote.self) { try funnels("users,funnel\n1,\"f\n") }
  }
}
