import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("results.xlsx")
struct WorkbookExporterTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func write(_ name: String, mostRows: Int = WorkbookExporter.mostRows) throws -> Data {
    let night = try PublishedNight.night()
    try WorkbookExporter.write(
      night, tables: try PublishedNight.tables(of: night), to: folder.path(name), mostRows: mostRows)
    return try #require(FileManager.default.contents(atPath: folder.path(name)))
  }

  @Test("The same night gives the same bytes")
  func sameBytes() throws {
    #expect(try write("one.xlsx") == write("two.xlsx"))
    #expect(folder.names() == ["one.xlsx", "two.xlsx"])
  }

  @Test("Every table has a sheet, whose name a workbook takes")
  func sheetNames() throws {
    let names = ResultTables.all.map(\.name)
    #expect(names.allSatisfy { $0.count <= 31 && $0.wholeMatch(of: /[a-z_]+/) != nil })
    #expect(Set(names).isDisjoint(with: ["night", "contents", "columns"]))
    let parts = WorkbookParts.all(sheets: names)
    let workbook = try #require(parts.first { $0.name == "xl/workbook.xml" })
    for name in names { #expect(workbook.text.contains("<sheet name=\"\(name)\"")) }
  }

  @Test("Every table and every column says what it tells")
  func meanings() {
    for table in ResultTables.all {
      #expect(table.meaning.hasSuffix("."), "\(table.name)")
      for column in table.columns { #expect(!column.meaning.isEmpty, "\(table.name).\(column.name)") }
      #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(table.name)")
    }
  }

  @Test("Nobody but owner and group may read it, and a file that is there is left alone")
  func rights() throws {
    _ = try write("one.xlsx")
    let rights = try FileManager.default.attributesOfItem(atPath: folder.path("one.xlsx"))[.posixPermissions]
    #expect((rights as? Int).map { $0 & 0o027 } == 0)
    #expect(throws: OfferliftError.self) { try write("one.xlsx") }
  }
}
