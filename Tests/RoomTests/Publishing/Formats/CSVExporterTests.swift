import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Publishing

/// CSV as pandas, spreadsheets and diff read it.
struct CSVExporterTests {
  private func line(_ cells: Table.Cell...) -> String {
    var bytes: [UInt8] = []
    CSVExporter.appendRow(cells, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `Every kind of cell has one way to be written`() {
    #expect(
      line(.text("weekly"), .flag(true), .integer(-5), .real(0.05), .micros(7_990_000), .empty)
        == "weekly,true,-5,0.05,7.990000,\n")
  }

  @Test func `Delimiters, quotes and line breaks are quoted`() {
    #expect(line(.text("a,b"), .text("say \"hi\""), .text("x\ny")) == "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\n")
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
  func `A text that a spreadsheet would run gets a quote in front`(text: String) {
    #expect(line(.text(text)) == "'\(text)\n")
  }

  @Test func `Numbers are no formulas`() {
    #expect(line(.real(-0.5), .integer(-1), .micros(-1)) == "-0.5,-1,-0.000001\n")
  }

  @Test func `What is written is read back the same`() throws {
    let texts = ["plain", "a,b", "\"", "x\r\ny", "", "é ü 漢", " blank "]
    var bytes = Array("1,2,3,4,5,6,7\n".utf8)
    CSVExporter.appendRow(texts.map(Table.Cell.text), to: &bytes)
    #expect(try CSVRecords.parse(bytes)[1].fields == texts)
  }

  @Test func `Rows come in the order of their keys' bytes, whatever order they were found in`() {
    let names: [Identifier] = ["b", "a", "B", "é", "e\u{301}", "a10", "a2"]
    let table = Table("names", of: names, columns: [.key("name", \.self)])
    #expect(
      table.rows == ["B", "a", "a10", "a2", "b", "e\u{301}", "é"].map { [Table.Cell.text($0)] })
  }
}

/// Numbers as text.
struct NumberTextTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (0.05, "0.05"), (-12.5, "-12.5"), (0.1 + 0.2, "0.30000000000000004"),
    (1e-6, "0.000001"), (1.5e-7, "1.5e-7"), (1e-300, "1e-300"), (123_456_789_012, "123456789012"),
    (1e16, "10000000000000000"), (1.5e20, "150000000000000000000"), (1e21, "1e21"), (1.25e22, "1.25e22"),
  ])
  func `A number is its shortest digits, without an exponent in ordinary sizes`(value: Double, text: String) {
    #expect(NumberText.real(value) == text)
  }

  @Test func `Every number reads back as itself`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(Double(NumberText.real(value)) == value)
    }
  }

  @Test(
    arguments: [
      (0, "0.000000"), (1, "0.000001"), (-1_250_000, "-1.250000"),
      (Int128.max, "170141183460469231731687303715884.105727"),
      (Int128.min, "-170141183460469231731687303715884.105728"),
    ] as [(Int128, String)])
  func `Money is exact, with six decimals`(micros: Int128, text: String) {
    #expect(NumberText.micros(micros) == text)
  }
}
