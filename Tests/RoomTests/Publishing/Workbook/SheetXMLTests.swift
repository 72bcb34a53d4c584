import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("A sheet of results.xlsx")
struct SheetXMLTests {
  private func xml(_ columns: [(String, Table.ColumnType)], _ rows: [[Table.Cell]]) throws -> String {
    let table = Table(
      name: "t", columns: columns.map { Table.Column(name: $0, type: $1, isKey: false, meaning: "x") }, rows: rows)
    var sheet = SheetXML(table, length: rows.count)
    var bytes: [UInt8] = []
    try sheet.write { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func cell(_ cell: Table.Cell, _ type: Table.ColumnType) throws -> String {
    let text = try xml([("a", type)], [[cell]])
    let row = try #require(text.firstMatch(of: /<row r="2">(.*?)<\/row>/))
    return String(row.1)
  }

  @Test("Numbers are numbers, days are days, and what has more than 15 digits is text")
  func typed() throws {
    #expect(try cell(.real(-0.125), .real) == #"<c r="A2"><v>-0.125</v></c>"#)
    #expect(try cell(.integer(42), .integer) == #"<c r="A2"><v>42</v></c>"#)
    #expect(try cell(.flag(true), .flag) == #"<c r="A2" t="b"><v>1</v></c>"#)
    #expect(try cell(.micros(-7_990_000), .amount) == #"<c r="A2" s="4"><v>-7.990000</v></c>"#)
    #expect(try cell(.text("2026-03-31"), .date) == #"<c r="A2" s="2"><v>46112</v></c>"#)
    #expect(try cell(.text("2026-04-01T12:00:00Z"), .instant) == #"<c r="A2" s="3"><v>46113.5</v></c>"#)
    #expect(try cell(.empty, .real).isEmpty)
    #expect(
      try cell(.integer(1_000_000_000_000_000), .sum)
        == #"<c r="A2" t="inlineStr"><is><t xml:space="preserve">1000000000000000</t></is></c>"#)
  }

  @Test(
    "An id stays text, whatever it looks like", arguments: ["=1+1", "0042", "4.07E+09", "2026-03-31", "TRUE", "@x"])
  func ids(text: String) throws {
    #expect(
      try cell(.text(text), .text) == #"<c r="A2" t="inlineStr"><is><t xml:space="preserve">\#(text)</t></is></c>"#)
  }

  @Test("A day that is none, or that spreadsheets disagree about, stays text", arguments: ["soon", "1900-02-28"])
  func noDay(text: String) throws {
    #expect(try cell(.text(text), .date).contains(#"t="inlineStr""#))
  }

  @Test("Text that XML cannot hold is written as spreadsheets write it")
  func escaped() {
    func written(_ text: String) -> String {
      var bytes: [UInt8] = []
      SheetText.append(text, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(written("<a & b>") == "&lt;a &amp; b&gt;")
    #expect(written("a\u{0}\u{1f}\r\n") == "a_x0000__x001F__x000D_\n")
    #expect(written("_x0041_ _x41_ __x0041_") == "_x005F_x0041_ _x41_ __x005F_x0041_")
    #expect(written("\u{ffff}é漢🎁") == "_xFFFF_é漢🎁")
    #expect(written(String(repeating: "é", count: 40_000)) == String(repeating: "é", count: 32_766) + "…")
    #expect(written(String(repeating: "🎁", count: 20_000)) == String(repeating: "🎁", count: 16_383) + "…")
  }

  @Test("Columns have letters beyond Z")
  func letters() {
    #expect([0, 25, 26, 51, 52, 701, 702].map(SheetXML.letters) == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
  }

  @Test("The header stands still, and columns are as wide as what is in them, within reason")
  func layout() throws {
    let long = String(repeating: "x", count: 100)
    let text = try xml([("id", .text), ("name", .text)], [[.text("a"), .text(long)]])
    #expect(text.contains(#"<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>"#))
    #expect(text.contains(#"<col min="1" max="1" width="8" "#) && text.contains(#"<col min="2" max="2" width="60" "#))
    #expect(text.contains(#"<autoFilter ref="A1:B2"/>"#))
  }
}
