import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("CSV as pandas, spreadsheets and diff read it")
struct CSVExporterTests {
  private func line(_ cells: Table.Cell...) -> String {
    var bytes: [UInt8] = []
    CSVExporter.appendRow(cells, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Every kind of cell has one way to be written")
  func everyKind() {
    #expect(
      line(.text("weekly"), .flag(true), .integer(-5), .real(0.05), .micros(7_990_000), .empty)
        == "weekly,true,-5,0.05,7.990000,\n")
  }

  @Test("Delimiters, quotes and line breaks are quoted")
  func quoted() {
    #expect(line(.text("a,b"), .text("say \"hi\""), .text("x\ny")) == "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\n")
  }

  @Test(
    "A text that a spreadsheet would run gets a quote in front", arguments: ["=1+1", "+1", "-1", "@SUM(A1)"])
  func formulas(text: String) {
    #expect(line(.text(text)) == "'\(text)\n")
  }

  @Test("Numbers are no formulas")
  func plainNumbers() {
    #expect(line(.real(-0.5), .integer(-1), .micros(-1)) == "-0.5,-1,-0.000001\n")
  }

  @Test("What is written is read back the same")
  func roundTrip() throws {
    let texts = ["plain", "a,b", "\"", "x\r\ny", "", "é ü 漢", " blank "]
    var bytes = Array("1,2,3,4,5,6,7\n".utf8)
    CSVExporter.appendRow(texts.map(Table.Cell.text), to: &bytes)
    #expect(try CSVRecords.parse(bytes)[1].fields == texts)
  }

  @Test("Rows come in the order of their keys' bytes, whatever order they were found in")
  func rowOrder() {
    let names: [Identifier] = ["b", "a", "B", "é", "e\u{301}", "a10", "a2"]
    let name = TableColumn<Identifier, Identifier>("name", "a name", isKey: true, \.self)
    let table = Table("names", name.writers.map(\.column), of: names, by: name.row)
    #expect(
      table.rows == ["B", "a", "a10", "a2", "b", "e\u{301}", "é"].map { [Table.Cell.text($0)] })
  }
}
